// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.JsonWriter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hints about content or a resource, for the program that shows it. Immutable.
 *
 * @param audience     for whom it is meant; empty for no audience in particular
 * @param priority     from 0, optional, to 1, required; null for unsaid
 * @param lastModified when it was changed last, which clients older than 2025-06-18 ignore; null for unsaid
 */
public record Annotations(
        List<Role> audience,
        @Nullable Double priority,
        @Nullable Instant lastModified) {

    /** No hints. */
    public static final Annotations NONE = new Annotations(List.of(), null, null);

    public Annotations {
        audience = List.copyOf(audience);
        if (priority != null && !(priority >= 0 && priority <= 1)) {
            throw new IllegalArgumentException("a priority must be between 0 and 1, not " + priority);
        }
    }

    /** Says for whom it is meant. */
    public static Annotations forAudience(Role... audience) {
        return new Annotations(List.of(audience), null, null);
    }

    /** Says how important it is: from 0, optional, to 1, required. */
    public Annotations withPriority(double priority) {
        return new Annotations(audience, priority, lastModified);
    }

    /** Says when it was changed last. */
    public Annotations withLastModified(Instant time) {
        return new Annotations(audience, priority, time);
    }

    /** Writes them as a member, where there are any. */
    void writeTo(JsonWriter out) {
        if (equals(NONE)) {
            return;
        }
        out.name("annotations").beginObject();
        if (!audience.isEmpty()) {
            out.name("audience").beginArray();
            audience.forEach(role -> out.string(role.word()));
            out.endArray();
        }
        if (priority != null) {
            out.name("priority").number(priority);
        }
        out.optional("lastModified", lastModified == null ? null : lastModified.toString());
        out.endObject();
    }
}

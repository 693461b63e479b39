// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hints about content or a resource, for the program that shows the item. Immutable.
 *
 * @param audience     for whom the item is meant; empty for no audience in particular
 * @param priority     the importance from 0, optional, to 1, required; null for unspecified
 * @param lastModified the time of the last change, which clients older than 2025-06-18 ignore; null for unspecified
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

    /** Hints for whom the item is meant. */
    public static Annotations forAudience(Role... audience) {
        return new Annotations(List.of(audience), null, null);
    }

    /** These hints with an importance: from 0, optional, to 1, required. */
    public Annotations withPriority(double priority) {
        return new Annotations(audience, priority, lastModified);
    }

    /** These hints with the time of the last change. */
    public Annotations withLastModified(Instant time) {
        return new Annotations(audience, priority, time);
    }
}

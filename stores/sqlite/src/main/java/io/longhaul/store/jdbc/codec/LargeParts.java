// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.codec;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The payloads of a task that may be large: small payloads are written inline, large ones in their own rows, by name.
 */
public final class LargeParts {
    /** The largest inline payload in bytes. */
    static final int INLINE = 1_024;

    static final String REQUEST = "request";
    static final String ORIGIN = "origin";
    static final String HANDLE = "handle";
    static final String OUTCOME = "outcome";
    static final String QUESTION = "question:";
    static final String ANSWER = "answer:";

    private static final int ABSENT = 0;
    private static final int IN_PLACE = 1;
    private static final int BY_NAME = 2;

    private LargeParts() {}

    static void write(ByteWriter out, String name, @Nullable Payload payload) {
        if (payload == null) {
            out.octet(ABSENT);
        } else if (payload.size() <= INLINE) {
            out.octet(IN_PLACE).block(payload.bytes());
        } else {
            out.octet(BY_NAME).text(name);
        }
    }

    /** Writes a payload of any size inline, for data that is written only once. */
    static void writeWhole(ByteWriter out, @Nullable Payload payload) {
        if (payload == null) {
            out.octet(ABSENT);
        } else {
            out.octet(IN_PLACE).block(payload.bytes());
        }
    }

    static @Nullable Payload readOrNull(ByteReader in, PartSource parts) {
        return switch (in.octet()) {
            case ABSENT -> null;
            case IN_PLACE -> Payload.of(in.block());
            case BY_NAME -> Payload.of(parts.read(in.text()));
            default -> throw ByteReader.damaged();
        };
    }

    static Payload read(ByteReader in, PartSource parts) {
        var payload = readOrNull(in, parts);
        if (payload == null) {
            throw ByteReader.damaged();
        }
        return payload;
    }

    /** The large payloads of {@code after} that {@code before} does not have. */
    public static Map<String, Payload> toWrite(@Nullable Task before, Task after) {
        var wanted = bigOnes(after, before != null);
        if (!wanted.isEmpty() && before != null) {
            bigOnes(before, true).forEach(wanted::remove);
        }
        return wanted;
    }

    private static Map<String, Payload> bigOnes(Task task, boolean changingOnly) {
        var found = new LinkedHashMap<String, Payload>();
        if (!changingOnly) {
            add(found, REQUEST, task.spec().request());
            add(found, ORIGIN, task.spec().origin());
        }
        add(found, HANDLE, task.execution().handle());
        var ending = task.ending();
        if (ending != null) {
            add(found, OUTCOME, payloadOf(ending.outcome()));
        }
        for (var input : task.status().inputs()) {
            add(found, QUESTION + input.key(), input.params());
            add(found, ANSWER + input.key(), input.answer());
        }
        return found;
    }

    private static @Nullable Payload payloadOf(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Result result -> result.body();
            case Outcome.Error error -> error.data();
            case Outcome.Cancelled cancelled -> null;
            case Outcome.Failed failed -> null;
        };
    }

    private static void add(Map<String, Payload> found, String name, @Nullable Payload payload) {
        if (payload != null && payload.size() > INLINE) {
            found.put(name, payload);
        }
    }
}

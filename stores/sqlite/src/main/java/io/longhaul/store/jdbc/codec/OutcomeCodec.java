// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.codec;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes and reads outcomes. */
final class OutcomeCodec {
    private static final int RESULT = 0;
    private static final int ERROR = 1;
    private static final int CANCELLED = 2;
    private static final int FAILED = 3;
    private static final List<FailureReason> REASONS =
            List.of(FailureReason.INTERRUPTED, FailureReason.TIMED_OUT, FailureReason.UNANSWERED);

    private OutcomeCodec() {}

    /**
     * Writes an outcome. With {@code shared}, the payload is a part of the task, so that a large payload is written by
     * name.
     */
    static void write(ByteWriter out, Outcome outcome, boolean shared) {
        switch (outcome) {
            case Outcome.Result result -> {
                out.octet(RESULT).flag(result.isError());
                payload(out, result.body(), shared);
            }
            case Outcome.Error error -> {
                out.octet(ERROR).number(error.code()).text(error.message());
                payload(out, error.data(), shared);
            }
            case Outcome.Cancelled cancelled -> out.octet(CANCELLED).textOrNull(cancelled.reason());
            case Outcome.Failed failed ->
                out.octet(FAILED).oneOf(REASONS, failed.reason()).text(failed.message());
        }
    }

    static Outcome read(ByteReader in, PartSource parts) {
        switch (in.octet()) {
            case RESULT -> {
                var isError = in.flag();
                return new Outcome.Result(LargeParts.read(in, parts), isError);
            }
            case ERROR -> {
                return new Outcome.Error((int) in.number(), in.text(), LargeParts.readOrNull(in, parts));
            }
            case CANCELLED -> {
                return new Outcome.Cancelled(in.textOrNull());
            }
            case FAILED -> {
                return new Outcome.Failed(in.oneOf(REASONS), in.text());
            }
            default -> throw ByteReader.damaged();
        }
    }

    private static void payload(ByteWriter out, @Nullable Payload payload, boolean shared) {
        if (shared) {
            LargeParts.write(out, LargeParts.OUTCOME, payload);
        } else {
            LargeParts.writeWhole(out, payload);
        }
    }
}

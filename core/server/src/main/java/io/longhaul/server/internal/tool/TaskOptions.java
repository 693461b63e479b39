// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.tool;

import io.longhaul.engine.run.Retry;
import io.longhaul.engine.run.Work.Bounds;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.receiver.tool.ServedTool.Parts;
import io.longhaul.receiver.tool.ServedTool.Plain;
import io.longhaul.server.ChildFailedException;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.McpException;
import io.longhaul.server.ToolException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The options of a long-running tool, as {@code LongRunning} describes them. Immutable. */
public record TaskOptions(Running running, boolean taskOnly, Told told, Parts parts, Plain plain, Questions questions) {

    /** How tasks are run and kept; null for the default of the server or of the kind of work. */
    public record Running(
            @Nullable Duration keep,
            @Nullable CrashPolicy onCrash,
            Bounds bounds,
            @Nullable Duration suspendAfter,
            Retries retries,
            List<String> formerly) {
        public Running {
            formerly = List.copyOf(formerly);
        }
    }

    /**
     * What a model reads of a task.
     *
     * @param immediate a text while the task runs; null for none
     * @param longest   the most bytes of a text of the result that a caller gets at once
     */
    public record Told(@Nullable String immediate, int longest) {}

    /**
     * When an attempt that fails is repeated.
     *
     * @param on the exceptions of a handler that are failures; the failures of a backend are its own matter
     */
    public record Retries(Retry policy, Predicate<? super Exception> on) {

        /** No attempt is repeated. */
        public static final Retries NEVER = of(Retry.NEVER);

        /** Repeats an attempt after any exception but those that are what the caller shall get. */
        public static Retries of(Retry policy) {
            return new Retries(
                    policy,
                    e -> !(e instanceof ToolException
                            || e instanceof McpException
                            || e instanceof ChildFailedException));
        }
    }

    /** What is known of questions before a call. */
    public record Questions(List<ElicitRequest> first, boolean mayAskFirst, List<ElicitRequest> asArguments) {
        public Questions {
            first = List.copyOf(first);
            asArguments = List.copyOf(asArguments);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.tool;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.receiver.tool.ServedTool.Parts;
import io.longhaul.receiver.tool.ServedTool.Plain;
import io.longhaul.server.ElicitRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a long-running tool, as {@code LongRunning} describes them. Immutable.
 *
 * @param immediate the text for the model while the task runs; null for none
 */
public record TaskOptions(
        Running running, boolean taskOnly, @Nullable String immediate, Parts parts, Plain plain, Questions questions) {

    /** How tasks are run and kept; null for the default of the server or of the kind of work. */
    public record Running(
            @Nullable Duration keep,
            @Nullable CrashPolicy onCrash,
            @Nullable Duration timeout,
            @Nullable Duration suspendAfter,
            int concurrency,
            List<String> formerly) {
        public Running {
            formerly = List.copyOf(formerly);
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

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.output;

import io.longhaul.backend.shell.text.LinePattern;
import io.longhaul.backend.shell.text.TextEncoding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is read from the output of a command, and how.
 *
 * @param cap          the most bytes that are kept for the result
 * @param errorsLogged whether standard error goes to the log of the task, and is no output
 * @param isRaw        whether terminal codes, and all states of overwritten lines, stay
 */
public record OutputOptions(int cap, boolean errorsLogged, TextEncoding encoding, boolean isRaw, Lines lines) {

    /**
     * What is found in lines.
     *
     * @param emitted the pattern of lines that become partial output; null for none
     * @param said    what the lines begin with by which the command speaks to its task, and which are no output; null
     *     where it does not speak so
     * @param shown   how many of the last lines are the status message
     */
    public record Lines(
            List<ProgressPattern> progress,
            @Nullable LinePattern emitted,
            @Nullable String said,
            int shown) {
        public Lines {
            progress = List.copyOf(progress);
        }
    }

    public boolean emits() {
        return lines.emitted != null;
    }

    /** Whether the command speaks to its task by lines of its output. */
    public boolean isSaid() {
        return lines.said != null;
    }

    /** Whether a job waits for a reader of its output, before it drops what was not read. */
    public boolean isAwaited() {
        return emits() || isSaid();
    }

    boolean emits(String line) {
        return lines.emitted != null && lines.emitted.find(line).isPresent();
    }
}

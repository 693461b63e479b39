// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.said;

import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One line of what a command says to its task. Immutable. */
public sealed interface Said {

    /** How far the work is. */
    record Progressed(Progress progress) implements Said {}

    /** One sentence about the present activity. */
    record Status(String text) implements Said {}

    /** @param level one of RFC 5424's, in lower case */
    record Logged(String level, String text) implements Said {}

    /** A piece of partial output. */
    record Emitted(Payload piece) implements Said {}

    /** A part of the work is done, with this value. */
    record Step(String name, Payload value) implements Said {}

    /** A question to the requestor of the task. */
    record Asked(String key, String method, Payload params) implements Said {}

    /** The call of another tool. */
    record Called(String name, String tool, Payload arguments) implements Said {}

    /** The result of the command, or why it has failed, as the line says it. */
    record Ended(Payload line) implements Said {}

    /**
     * A line that cannot be taken.
     *
     * @param waiting the file for which the command may wait; null where the line names none
     * @param why     a clause for the log
     */
    record Refused(@Nullable Reply waiting, String why) implements Said {}

    /**
     * The file that answers a line, which appears whole.
     *
     * @param name as {@link #isName} allows it
     */
    record Reply(Kind kind, String name) {

        /** What is answered; each kind has a folder. */
        public enum Kind {
            STEPS,
            ANSWERS,
            CHILDREN
        }

        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");

        /** Whether a step, a question or a call can have this name. */
        public static boolean isName(String text) {
            return NAME.matcher(text).matches();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.exit;

import io.longhaul.file.text.EnumWords;

/** Why a command failed: a sentence for the user, and a kind and an exit code for programs. */
public final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kinds of problems, with their exit codes. */
    public enum Kind {
        /** The command line, or a file that it names, is invalid. */
        USAGE(ExitCode.USAGE),
        /** The server refused, as for an unknown id. */
        REFUSED(ExitCode.PROTOCOL_ERROR),
        /** The server does not support the operation. */
        UNSUPPORTED(ExitCode.PROTOCOL_ERROR),
        /** The server's answer is invalid, or the call is lost. */
        PROTOCOL(ExitCode.PROTOCOL_ERROR),
        /** The server cannot be reached. */
        CONNECTION(ExitCode.CONNECTION),
        /** A file or a pipe does not take the output. */
        OUTPUT(ExitCode.CONNECTION),
        /** The reader of the output has left, as {@code head} does. */
        READER_GONE(ExitCode.CONNECTION),
        /** An error of this program. */
        INTERNAL(ExitCode.INTERNAL);

        private final int exitCode;

        Kind(int exitCode) {
            this.exitCode = exitCode;
        }

        /** The name that programs read. */
        public String word() {
            return EnumWords.of(this);
        }
    }

    private final Kind kind;

    public Problem(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Problem(Kind kind, String message, Exception cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    public int exitCode() {
        return kind.exitCode;
    }
}

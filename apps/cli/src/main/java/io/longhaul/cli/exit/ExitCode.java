// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.exit;

/** The exit codes of commands. */
public final class ExitCode {
    /** All went well. */
    public static final int OK = 0;

    /** The tool says that it failed. */
    public static final int TOOL_ERROR = 1;

    /** The command line, or a file that it names, is invalid. */
    public static final int USAGE = 2;

    /** The server refused, the call ended with a protocol error, or its outcome is lost. */
    public static final int PROTOCOL_ERROR = 3;

    /** The server cannot be reached, this one cannot serve, or the output cannot be written. */
    public static final int CONNECTION = 4;

    /** The call was cancelled. */
    public static final int CANCELLED = 5;

    /** The call failed, and the server had asked a question that could not be answered. */
    public static final int UNANSWERED = 6;

    /** An internal error of the program. */
    public static final int INTERNAL = 70;

    /** The user pressed Ctrl-C. */
    public static final int INTERRUPTED = 130;

    /** The exit codes of a call, for the help. */
    public static final String OF_CALLS =
            "exit codes: 0 success, 1 the tool says it failed, 2 usage, 3 refused, protocol"
                    + " error or lost,\n            4 no connection, 5 cancelled, 6 a question that could not"
                    + " be answered, 130 interrupted";

    private ExitCode() {}
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import io.longhaul.cli.args.UsageException;
import io.longhaul.cli.config.ConfigException;
import io.longhaul.client.McpClientException;
import io.longhaul.client.RefusedException;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.client.UnsupportedByServerException;
import java.util.Locale;

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
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Kind kind;

    public Problem(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    private Problem(Kind kind, String message, Exception cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** The problem for the user behind an exception that ended a command. */
    static Problem of(Exception e) {
        var message = String.valueOf(e.getMessage());
        return switch (e) {
            case Problem problem -> problem;
            case UsageException usage -> new Problem(Kind.USAGE, message, usage);
            case ConfigException file -> new Problem(Kind.USAGE, message, file);
            case ServerUnreachableException away -> new Problem(Kind.CONNECTION, message, away);
            case RefusedException refused -> new Problem(Kind.REFUSED, message, refused);
            case UnsupportedByServerException unsupported -> new Problem(Kind.UNSUPPORTED, message, unsupported);
            case McpClientException other -> new Problem(Kind.PROTOCOL, message, other);
            default ->
                new Problem(
                        Kind.INTERNAL,
                        "something went wrong that should not (" + e + "). LONGHAUL_DEBUG=1 shows where.",
                        e);
        };
    }

    Kind kind() {
        return kind;
    }

    int exitCode() {
        return kind.exitCode;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import io.longhaul.cli.args.UsageException;
import io.longhaul.cli.config.ConfigException;
import io.longhaul.client.McpClientException;
import io.longhaul.client.RefusedException;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.client.UnsupportedByServerException;
import java.util.Locale;

/** Why a command did not do what it was to do: a sentence for the user, and what a program is told of it. */
public final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong, with the exit code that tells it. */
    public enum Kind {
        /** The command line, or a file that it names, makes no sense. */
        USAGE(ExitCode.USAGE),
        /** The server refused, as for an unknown id. */
        REFUSED(ExitCode.PROTOCOL_ERROR),
        /** The server has no way to do that. */
        UNSUPPORTED(ExitCode.PROTOCOL_ERROR),
        /** The server said something that makes no sense, or the call is lost. */
        PROTOCOL(ExitCode.PROTOCOL_ERROR),
        /** The server cannot be reached. */
        CONNECTION(ExitCode.CONNECTION),
        /** A fault of ours. */
        INTERNAL(ExitCode.INTERNAL);

        private final int exitCode;

        Kind(int exitCode) {
            this.exitCode = exitCode;
        }

        /** As a program reads it. */
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

    /** What an exception that ended a command means for its user. */
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

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.command;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.McpClientException;
import io.longhaul.client.RefusedException;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.client.UnsupportedByServerException;
import io.longhaul.engine.store.StoreException;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.protocol.dialect.words.Refusals;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * Runs a command of a program, and tells the user in a sentence of an error.
 *
 * @param program what stands before the usage of a command, such as {@code longhaul} and a space
 */
public record CommandRunner(String program, Terminal terminal) {
    private static final int HEAD = 24;
    private static final String ANONYMOUS =
            ". Log in (longhaul login URL, or --token TOKEN), go on with one task by its reference (longhaul attach"
                    + " REFERENCE), or have the server listen on a loopback address, where you are its user (Spring:"
                    + " server.address=127.0.0.1)";

    private static final Option HELP = Option.flag("--help", "show this");

    /** Runs the only command of a program, and gives its exit code. */
    public int run(CliCommand command, List<String> line) {
        return run(line, () -> dispatch(command, line));
    }

    /**
     * Does what a command line says, and gives its exit code.
     *
     * @param line   says how a problem is told
     * @param action gives the exit code where nothing is thrown
     */
    public int run(List<String> line, Callable<Integer> action) {
        try {
            int code = action.call();
            terminal.out().expectWritten();
            return code;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        } catch (Exception e) {
            return tell(problem(e), isForProgram(line));
        }
    }

    /** Runs a command with the words after its name, or shows its help where these ask for that. */
    public int dispatch(CliCommand command, List<String> rest) throws Exception {
        return rest.stream().takeWhile(word -> !word.equals("--")).anyMatch(Set.of("--help", "-h")::contains)
                ? help(command)
                : command.run(Arguments.parse(rest, withHelp(command)), terminal);
    }

    public int help(CliCommand command) {
        var out = terminal.out();
        var help = command.help();
        out.println("usage: " + program + help.usage() + " [options]");
        out.println();
        out.println(help.summary());
        if (!help.details().isEmpty()) {
            out.println();
            help.details().forEach(out::println);
        }
        out.println();
        for (var option : withHelp(command)) {
            var head = option.value() == null ? option.name() : option.name() + " " + option.value();
            // A head that is wider than its column has a line of its own.
            boolean isWide = head.length() > HEAD;
            out.println(isWide ? "  " + head : "  %-24s %s".formatted(head, option.help()));
            if (isWide) {
                out.println(" ".repeat(HEAD + 3) + option.help());
            }
        }
        return ExitCode.OK;
    }

    private static List<Option> withHelp(CliCommand command) {
        var options = new ArrayList<>(command.help().options());
        options.add(HELP);
        return options;
    }

    /** The problem for the user behind an exception that ended a command. */
    private static Problem problem(Exception e) {
        var message = String.valueOf(e.getMessage());
        return switch (e) {
            case Problem problem -> problem;
            case UsageException usage -> new Problem(Problem.Kind.USAGE, message, usage);
            case ConfigException file -> new Problem(Problem.Kind.USAGE, message, file);
            case ServerUnreachableException away -> new Problem(Problem.Kind.CONNECTION, message, away);
            case StoreException store -> new Problem(Problem.Kind.CONNECTION, message, store);
            case RefusedException refused -> new Problem(Problem.Kind.REFUSED, message + advice(refused), refused);
            case UnsupportedByServerException unsupported ->
                new Problem(Problem.Kind.UNSUPPORTED, message, unsupported);
            case McpClientException other -> new Problem(Problem.Kind.PROTOCOL, message, other);
            default ->
                new Problem(
                        Problem.Kind.INTERNAL,
                        "something went wrong that should not (" + e + "). LONGHAUL_DEBUG=1 shows where.",
                        e);
        };
    }

    private static String advice(RefusedException refused) {
        return Refusals.isForAnonymous(refused.error()) ? ANONYMOUS : "";
    }

    /** Tells a problem: one line for people on standard error, or one object for programs on standard output. */
    private int tell(Problem problem, boolean forProgram) {
        if (forProgram) {
            var json = JsonText.object();
            json.putObject("error")
                    .put("kind", problem.kind().word())
                    .put("message", problem.getMessage())
                    .put("exitCode", problem.exitCode());
            try {
                terminal.out().println(JsonText.pretty(json));
            } catch (Problem unwritten) {
                return tell(unwritten, false);
            }
        } else if (problem.kind() != Problem.Kind.READER_GONE) {
            terminal.say(SafeText.quote(String.valueOf(problem.getMessage())));
        }
        if (terminal.debugs()) {
            terminal.err().trace(problem.getCause() == null ? problem : problem.getCause());
        }
        return problem.exitCode();
    }

    /** Whether the command line asks for JSON, even where it is otherwise invalid. */
    private static boolean isForProgram(List<String> line) {
        var options = line.stream().takeWhile(word -> !word.equals("--")).toList();
        int at = options.indexOf("--output");
        return options.contains("--output=json")
                || at >= 0 && at + 1 < options.size() && options.get(at + 1).equals("json");
    }
}

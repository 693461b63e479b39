// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.audit;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.logging.RotatedFile;
import io.longhaul.cli.terminal.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the lines of one task or one owner in the audit log, which contains only their marks. */
public final class AuditCommand implements CliCommand {

    private static final Option TASK =
            Option.valued("--task", "ID", "the lines of this task, by the id that longhaul tasks shows");
    private static final Option OWNER = Option.valued("--owner", "NAME", "the lines of this owner, such as local");
    private static final Option FILE =
            Option.valued("--file", "FILE", "the audit log, if serve --audit named another file");

    @Override
    public Help help() {
        return new Help(
                "audit DIR",
                "find in the audit log who did what to a task",
                List.of("DIR is the folder of serve --data. The oldest lines come first; renamed files are read too."),
                List.of(TASK, OWNER, FILE));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) {
        var folder = Path.of(arguments.word(0, "the data folder"));
        arguments.expectWords(1);
        var file = arguments.value(FILE).map(Path::of).orElse(folder.resolve(AuditTrail.FILE));
        try {
            var wanted = wanted(arguments, AuditKey.read(folder));
            if (!Files.exists(file)) {
                throw new IOException("there is no audit log " + file + ": name it with --file");
            }
            for (var one : files(file)) {
                // A line may be cut within a character, as by a full disk. Unlike Files.lines, this replaces it.
                try (var lines =
                        new BufferedReader(new InputStreamReader(Files.newInputStream(one), StandardCharsets.UTF_8))) {
                    lines.lines()
                            .filter(line -> wanted.stream().allMatch(line::contains))
                            .forEach(terminal.out()::println);
                }
            }
            return ExitCode.OK;
        } catch (IOException | UncheckedIOException e) {
            throw new Problem(Problem.Kind.CONNECTION, String.valueOf(e.getMessage()), e);
        }
    }

    /** The texts in a matching line. A stranger's text cannot imitate them, because its quotes are escaped. */
    private static List<String> wanted(Arguments arguments, AuditKey key) {
        var wanted = new ArrayList<String>();
        arguments.value(TASK).ifPresent(id -> wanted.add("\"task\":\"" + key.task(id) + "\""));
        arguments.value(OWNER).ifPresent(name -> wanted.add("\"owner\":\"" + key.owner(name) + "\""));
        if (wanted.isEmpty()) {
            throw new UsageException("say whose lines: add --task ID or --owner NAME.");
        }
        return wanted;
    }

    /** The renamed files, oldest first, and the present file. */
    private static List<Path> files(Path present) {
        var all = new ArrayList<Path>();
        all.add(present);
        for (int number = 1; Files.exists(RotatedFile.numbered(present, number)); number++) {
            all.addFirst(RotatedFile.numbered(present, number));
        }
        return all;
    }
}

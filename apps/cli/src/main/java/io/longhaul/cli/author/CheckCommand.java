// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.author;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.file.ServerFile;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.file.tree.Mistake;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/** Reports all mistakes in a file of tools, and serves nothing. */
public final class CheckCommand implements CliCommand {
    private static final Option OUTPUT =
            Option.valued("--output", "text|json", "the format of the output; text by default");
    private static final List<String> DETAILS = List.of(
            "Each mistake is a line on standard output: FILE:LINE:COLUMN: field: what is wrong. What to do.",
            "A warning reports something that can be served, but is probably not what its author wants.",
            "docs/YAML.md has the fields of a file.",
            "exit codes: 0 the file can be served, 2 usage or a mistake");

    @Override
    public Help help() {
        return new Help("check FILE.yaml", "report all mistakes of a file of tools", DETAILS, List.of(OUTPUT));
    }

    /** The findings in a file. */
    private record Found(List<Mistake> mistakes, List<Mistake> warnings) {}

    @Override
    public int run(Arguments arguments, Terminal terminal) {
        var file = Path.of(arguments.word(0, "the file that lists the tools"));
        arguments.expectWords(1);
        boolean isJson = arguments.isJson(OUTPUT).orElse(false);
        var found = found(file, terminal);
        if (isJson) {
            printJson(file, found, terminal);
        } else {
            printText(file, found, terminal);
        }
        return found.mistakes().isEmpty() ? ExitCode.OK : ExitCode.USAGE;
    }

    private static Found found(Path file, Terminal terminal) {
        try {
            var checked = ServerFile.check(file, terminal.env()).examined(file);
            return new Found(checked.mistakes(), checked.warnings());
        } catch (ConfigException e) {
            return new Found(e.mistakes(), List.of());
        }
    }

    private static void printText(Path file, Found found, Terminal terminal) {
        var out = terminal.out();
        found.mistakes().forEach(mistake -> out.println(mistake.text()));
        found.warnings().forEach(warning -> out.println(warning.warning()));
        if (found.mistakes().isEmpty()) {
            out.println(file + ": can be served");
        }
    }

    private static void printJson(Path file, Found found, Terminal terminal) {
        var json = JsonText.object().put("file", file.toString());
        add(json.putArray("mistakes"), found.mistakes());
        add(json.putArray("warnings"), found.warnings());
        terminal.out().println(JsonText.pretty(json));
    }

    private static void add(ArrayNode array, List<Mistake> mistakes) {
        for (var mistake : mistakes) {
            var entry = array.addObject();
            if (mistake.line() > 0) {
                entry.put("line", mistake.line()).put("column", mistake.column());
            }
            entry.put("field", mistake.field())
                    .put("problem", mistake.problem())
                    .put("fix", mistake.fix());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.engine.run.Template;
import io.longhaul.file.text.WrittenDuration;
import io.longhaul.file.tree.FileSchema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A first file of tools, with one tool.
 *
 * @param tool        the name of the tool
 * @param description for a model
 * @param command     the command as words separated by spaces; a word with a space is in quotes, and {@code {name}}
 *     stands for an argument of the call
 * @param timeout     of one call
 */
public record FirstFile(String tool, String description, String command, String timeout) {
    /** The file that is written by default. */
    public static final FirstFile DEFAULT =
            new FirstFile("disk_usage", "Says what takes the space below a folder.", "du -sh -- {folder}", "30m");

    /** The name of the schema beside a file. */
    public static final String SCHEMA = "longhaul.schema.json";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    /** The schema that the first line of the file names. */
    public static String schema() {
        return FileSchema.text();
    }

    /** The error in the name of a tool, in a sentence; null where the name is valid. */
    public static @Nullable String badName(String name) {
        return NAME.matcher(name).matches() ? null : "Use up to 128 letters, digits, dots, _ and -.";
    }

    /** The error in a command, in a sentence; null where the command is valid. */
    public static @Nullable String badCommand(String command) {
        var words = words(command);
        if (words.isEmpty()
                || !Template.parse(words.getFirst()).slots().isEmpty()
                || words.getFirst().startsWith("-")) {
            return "Begin with a program, such as " + DEFAULT.command() + ".";
        }
        boolean isDotted = inputs(words).stream().anyMatch(name -> name.contains("."));
        boolean isScript = words.size() > 2
                && words.get(1).matches("-[a-z]*c")
                && !inputs(words).isEmpty();
        return isDotted || isScript
                ? "Name arguments by letters, and give them to a script in the file: docs/YAML.md shows how."
                : null;
    }

    /** The error in a duration, in a sentence; null where the duration is valid. */
    public static @Nullable String badTime(String time) {
        return WrittenDuration.parse(time).isPresent() ? null : WrittenDuration.ADVICE + ".";
    }

    public String text() {
        var words = words(command);
        var text = new StringBuilder("# yaml-language-server: $schema=" + SCHEMA + "\n");
        text.append("tools:\n  ").append(quoted(tool)).append(":\n");
        text.append("    description: ").append(quoted(description)).append('\n');
        var inputs = inputs(words);
        if (!inputs.isEmpty()) {
            text.append("    input:\n");
            inputs.forEach(name -> text.append("      ").append(name).append(": string\n"));
        }
        text.append("    command:\n");
        words.forEach(word -> text.append("      - ").append(quoted(word)).append('\n'));
        return text.append("    timeout: ").append(timeout).append('\n').toString();
    }

    private static LinkedHashSet<String> inputs(List<String> words) {
        var names = new LinkedHashSet<String>();
        words.forEach(word -> names.addAll(Template.parse(word).slots()));
        return names;
    }

    private static List<String> words(String command) {
        var words = new ArrayList<String>();
        var match = WORD.matcher(command);
        while (match.find()) {
            words.add(
                    match.group(1) != null ? match.group(1) : match.group(2) != null ? match.group(2) : match.group(3));
        }
        return words;
    }

    /** The text in single quotes, where YAML takes every character literally. */
    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}

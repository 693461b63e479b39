// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import io.longhaul.cli.text.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Changes TOML in which each server is a table of its own. */
final class TomlEdit implements FileEdit {

    private static final Pattern TABLE = Pattern.compile("\\s*\\[{1,2}[^\\[\\],]+]{1,2}\\s*(#.*)?");
    private static final Pattern BARE = Pattern.compile("[A-Za-z0-9_-]+");

    @Override
    public String with(String text, String servers, String name, ObjectNode entry) {
        var rest = without(text, servers, name);
        var table = new StringBuilder("[" + servers + "." + key(name) + "]\n");
        // A text and a list of texts are written in TOML as in JSON.
        entry.properties()
                .forEach(field -> table.append(field.getKey())
                        .append(" = ")
                        .append(JsonText.line(field.getValue()))
                        .append('\n'));
        var gap = rest.isEmpty() ? "" : rest.endsWith("\n") ? "\n" : "\n\n";
        return rest + gap + table;
    }

    @Override
    public String without(String text, String servers, String name) {
        var own =
                Pattern.compile("\\s*\\[" + servers + "\\.[\"']?" + Pattern.quote(name) + "[\"']?(\\..*)?]\\s*(#.*)?");
        var inline = Pattern.compile("\\s*" + servers + "\\s*[.=].*");
        var kept = new ArrayList<String>();
        boolean isOwn = false;
        boolean isServers = false;
        boolean isText = false;
        for (var line : text.isEmpty() ? List.<String>of() : List.of(text.split("\n", -1))) {
            if (!isText && TABLE.matcher(line).matches()) {
                isOwn = own.matcher(line).matches();
                isServers = line.strip().startsWith("[" + servers + "]");
            } else if (!isText && (inline.matcher(line).matches() || isServers && line.matches("\\s*[^#\\s].*"))) {
                throw new IllegalArgumentException("it has its servers in another form than a table for each");
            }
            isText ^= (count(line, "\"\"\"") + count(line, "'''")) % 2 == 1;
            if (!isOwn) {
                kept.add(line);
            }
        }
        var left = String.join("\n", kept);
        return left.equals(text) ? text : left.stripTrailing() + (left.isBlank() ? "" : "\n");
    }

    private static String key(String name) {
        return BARE.matcher(name).matches() ? name : JsonText.line(StringNode.valueOf(name));
    }

    private static int count(String line, String quotes) {
        return line.split(Pattern.quote(quotes), -1).length - 1;
    }
}

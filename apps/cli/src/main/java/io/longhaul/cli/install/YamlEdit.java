// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import io.longhaul.cli.text.JsonText;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.file.tree.YamlReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Changes YAML in which each server is a member of its own lines. What is changed is read again, and compared. */
final class YamlEdit implements FileEdit {

    @Override
    public String with(String text, String servers, String name, ObjectNode entry) {
        var wanted = tree(text);
        ((ObjectNode) wanted.withObject("/" + servers)).set(name, entry);
        var lines = lines(without(text, servers, name));
        int head = head(lines, servers);
        if (head < 0) {
            lines.add(servers + ":");
            head = lines.size() - 1;
        }
        var indent = head + 1 < lines.size() && indent(lines.get(head + 1)) > 0 ? indent(lines.get(head + 1)) : 2;
        // JSON is YAML.
        lines.add(head + 1, " ".repeat(indent) + JsonText.line(StringNode.valueOf(name)) + ": " + JsonText.line(entry));
        return checked(lines, wanted);
    }

    @Override
    public String without(String text, String servers, String name) {
        var wanted = tree(text);
        if (wanted.path(servers).path(name).isMissingNode()) {
            return text;
        }
        ((ObjectNode) wanted.path(servers)).remove(name);
        var lines = lines(text);
        int at = head(lines, servers) + 1;
        var key = "\\s+[\"']?" + Pattern.quote(name) + "[\"']?\\s*:.*";
        while (at < lines.size() && !lines.get(at).matches(key)) {
            at++;
        }
        int end = at + 1;
        while (end < lines.size() && (indent(lines.get(end)) > indent(lines.get(at)))) {
            end++;
        }
        if (at < lines.size()) {
            lines.subList(at, end).clear();
        }
        return checked(lines, wanted);
    }

    private static int head(List<String> lines, String servers) {
        return lines.stream()
                .filter(line -> line.matches(servers + "\\s*:\\s*(#.*)?"))
                .findFirst()
                .map(lines::indexOf)
                .orElse(-1);
    }

    private static List<String> lines(String text) {
        return new ArrayList<>(text.isBlank() ? List.of() : text.lines().toList());
    }

    private static int indent(String line) {
        return line.length() - line.stripLeading().length();
    }

    private static String checked(List<String> lines, JsonNode wanted) {
        var text = String.join("\n", lines) + "\n";
        if (!emptied(tree(text)).equals(emptied(wanted))) {
            throw new IllegalArgumentException("it has its servers in another form than lines for each");
        }
        return text;
    }

    /** A member without a value stands for an object without members. */
    private static JsonNode emptied(JsonNode tree) {
        var copy = (ObjectNode) tree.deepCopy();
        copy.propertyNames().stream().toList().forEach(name -> {
            if (copy.path(name).isEmpty()
                    && (copy.path(name).isNull() || copy.path(name).isObject())) {
                copy.remove(name);
            }
        });
        return copy;
    }

    private static JsonNode tree(String text) {
        if (text.isBlank()) {
            return JsonText.object();
        }
        try {
            var root = YamlReader.read(Path.of("config.yaml"), text.getBytes(StandardCharsets.UTF_8))
                    .root();
            if (root.isObject()) {
                return root;
            }
        } catch (ConfigException e) {
            throw new IllegalArgumentException("it is no YAML that can be read: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("it has something else than members");
    }
}

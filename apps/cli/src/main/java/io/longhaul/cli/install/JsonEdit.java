// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import io.longhaul.cli.text.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Changes JSON with comments and commas behind the last member, as editors write it. */
final class JsonEdit implements FileEdit {

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    private static final String STEP = "  ";

    /** A member of an object: in the text its name begins at {@code from}, and its value at {@code value}. */
    private record Member(String name, int from, int value, int to) {}

    @Override
    public String with(String text, String servers, String name, ObjectNode entry) {
        if (text.isBlank()) {
            var whole = JsonText.object();
            whole.putObject(servers).set(name, entry);
            return JsonText.pretty(whole) + "\n";
        }
        var root = members(text, 0);
        var known = find(root, servers);
        if (known.isEmpty()) {
            var whole = JsonText.object();
            whole.set(name, entry);
            return inserted(text, start(text, 0), servers, whole, STEP, root.isEmpty());
        }
        var all = members(text, known.get().value());
        var server = find(all, name);
        if (server.isPresent()) {
            int from = server.get().value();
            return text.substring(0, from)
                    + indented(entry, indent(text, server.get().from()))
                    + text.substring(server.get().to());
        }
        var indent = all.isEmpty()
                ? indent(text, known.get().from()) + STEP
                : indent(text, all.getFirst().from());
        return inserted(text, start(text, known.get().value()), name, entry, indent, all.isEmpty());
    }

    @Override
    public String without(String text, String servers, String name) {
        var known = find(text.isBlank() ? List.of() : members(text, 0), servers);
        var all = known.map(member -> members(text, member.value())).orElse(List.of());
        var server = find(all, name);
        if (server.isEmpty()) {
            return text;
        }
        int index = all.indexOf(server.get());
        int comma = comma(text, server.get().to());
        int from = server.get().from();
        if (comma >= 0) {
            return text.substring(0, from) + text.substring(comma + 1).stripLeading();
        }
        var before = index == 0 ? -1 : comma(text, all.get(index - 1).to());
        var head = before < 0 ? text.substring(0, from) : text.substring(0, before) + text.substring(before + 1, from);
        // Not the line end before it, which ends a comment.
        head = head.replaceFirst("[ \\t]+$", "");
        var rest = text.substring(server.get().to());
        return head.endsWith("\n") && rest.startsWith("\n") ? head + rest.substring(1) : head + rest;
    }

    private static Optional<Member> find(List<Member> members, String name) {
        return members.stream().filter(member -> member.name().equals(name)).findFirst();
    }

    /** Inserts a member first in an object whose bracket is at {@code start}. */
    private static String inserted(
            String text, int start, String name, ObjectNode value, String indent, boolean isOnly) {
        var member = "\n" + indent + JsonText.line(StringNode.valueOf(name)) + " : " + indented(value, indent);
        var outer = indent.substring(Math.min(STEP.length(), indent.length()));
        var rest = text.substring(start + 1);
        var end = !isOnly ? "," : rest.stripLeading().startsWith("}") ? "\n" + outer : "";
        return text.substring(0, start + 1) + member + end + (end.startsWith("\n") ? rest.stripLeading() : rest);
    }

    private static String indented(ObjectNode value, String indent) {
        return JsonText.pretty(value).replace("\n", "\n" + indent);
    }

    /** The blanks before a place in its line; those of the line where something else stands before it. */
    private static String indent(String text, int place) {
        int begin = text.lastIndexOf('\n', place - 1) + 1;
        int end = begin;
        while (end < place && Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        return text.substring(begin, end);
    }

    /** The place of the comma behind a value, past blanks and comments; negative where none follows. */
    private static int comma(String text, int from) {
        int at = from;
        while (at < text.length()) {
            if (text.startsWith("//", at)) {
                at = text.indexOf('\n', at) < 0 ? text.length() : text.indexOf('\n', at);
            } else if (text.startsWith("/*", at)) {
                at = text.indexOf("*/", at) + 2;
            } else if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else {
                return text.charAt(at) == ',' ? at : -1;
            }
        }
        return -1;
    }

    private static int start(String text, int from) {
        try (var parser = parser(text.substring(from))) {
            parser.nextToken();
            return from + Math.toIntExact(parser.currentTokenLocation().getCharOffset());
        }
    }

    /** The members of the object that begins at or behind a place. */
    private static List<Member> members(String text, int from) {
        var members = new ArrayList<Member>();
        try (var parser = parser(text.substring(from))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("it has something else where an object should be");
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                var name = parser.currentName();
                int begin = offset(parser) + from;
                parser.nextToken();
                int value = offset(parser) + from;
                parser.skipChildren();
                if (parser.currentToken() == JsonToken.VALUE_STRING) {
                    parser.getString();
                }
                int end = Math.toIntExact(parser.currentLocation().getCharOffset()) + from;
                members.add(new Member(name, begin, value, end));
            }
            // The rest is read too, so that a broken file is found before it is changed.
            while (from == 0 && parser.nextToken() != null) {
                parser.skipChildren();
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException("it is no JSON: " + e.getOriginalMessage(), e);
        }
        return members;
    }

    private static JsonParser parser(String text) {
        return JSON.createParser(ObjectReadContext.empty(), text);
    }

    private static int offset(JsonParser parser) {
        return Math.toIntExact(parser.currentTokenLocation().getCharOffset());
    }
}

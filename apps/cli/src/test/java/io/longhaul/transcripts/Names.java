// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transcripts;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What chance makes different each time has names in transcripts: the first task that is met is {@code $task-1}. */
final class Names {

    /** Where something of a kind stands in what a server says. */
    private record Place(String kind, Pattern pattern) {
        Place(String kind, String pattern) {
            this(kind, Pattern.compile(pattern));
        }
    }

    private static final String TASK = "[0-9a-v]{36}";
    private static final List<Place> PLACES = List.of(
            new Place("session", "Mcp-Session-Id: (.+)"),
            new Place("session", "sessionId=([^&\"]+)"),
            new Place("event", "^id: (.+)"),
            new Place("task", "\"taskId\":\"(" + TASK + ")\""),
            new Place("task", "\"io.longhaul/output\":\"longhaul://tasks/(" + TASK + ")/"),
            new Place("task", "\"io.longhaul/task\":\"(" + TASK + ")\""),
            new Place("task", "\"token\":\"(" + TASK + ")\""),
            new Place("ask", "\"id\":([0-9]{16})\\b"),
            new Place("state", "\"requestState\":\"([^\"]{20,})\""),
            new Place("task", "\\\\\"task\\\\\":\\\\\"(" + TASK + ")\\\\\""),
            new Place("token", "\"token\":\"(rejected-[^\"]+)\""),
            new Place("token", "\"nextResumeToken\":\"([^\"]{20,})\""),
            new Place("cursor", "\"nextCursor\":\"([^\"]+)\""));
    private static final Pattern NAME = Pattern.compile("\\$[a-z]+(-\\d+)?");

    private final Map<String, String> values = new LinkedHashMap<>();

    /** Gives a name to a piece of text of the transcript itself. */
    void define(String name, String value) {
        values.put(name, value);
    }

    /** What the client sends, with what the names stand for. */
    String reveal(String written) {
        return NAME.matcher(written).replaceAll(found -> {
            var value = values.get(found.group());
            if (value == null) {
                throw new AssertionError("nothing has the name " + found.group() + " yet, in: " + written);
            }
            return Matcher.quoteReplacement(value);
        });
    }

    /** What the server says, with names for what is never the same. */
    String hide(String said) {
        for (var place : PLACES) {
            var found = place.pattern().matcher(said);
            while (found.find()) {
                learn(place.kind(), found.group(1));
            }
        }
        var hidden = said;
        for (var name : longestFirst()) {
            hidden = hidden.replace(values.get(name), name);
        }
        return hidden;
    }

    private void learn(String kind, String value) {
        if (!values.containsValue(value)) {
            long others = values.keySet().stream()
                    .filter(name -> name.startsWith("$" + kind + "-"))
                    .count();
            values.put("$" + kind + "-" + (others + 1), value);
        }
    }

    private List<String> longestFirst() {
        var found = new ArrayList<>(
                values.keySet().stream().filter(name -> name.matches(".*-\\d+")).toList());
        found.sort(
                Comparator.comparing((String name) -> values.get(name).length()).reversed());
        return found;
    }
}

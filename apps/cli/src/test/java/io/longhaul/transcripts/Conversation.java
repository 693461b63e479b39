// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transcripts;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Plays one section of a transcript with a whole server, and writes down what that says.
 *
 * <p>Lines are played in their order. Each {@code <} takes one thing that the server says, and waits for it, as do
 * {@code ~} lines, which may come in any order; what it says beyond that is an error. Other lines stay as they are.
 */
final class Conversation implements AutoCloseable {

    private static final String SERVER = "a server with ";
    private static final Pattern NAMED = Pattern.compile("(\\$[a-z]+) = (.*)");

    private final Names names = new Names();
    private final Map<String, Wire> wires = new HashMap<>();
    private final Map<String, List<String>> requests = new HashMap<>();
    private @Nullable Site site;

    /** The lines as they are now. */
    static List<String> play(List<String> lines) {
        var played = new ArrayList<String>();
        try (var conversation = new Conversation()) {
            for (int i = 0; i < lines.size(); i++) {
                var run = unordered(lines.subList(i, lines.size()));
                played.addAll(run.isEmpty() ? List.of(conversation.played(lines.get(i))) : conversation.heard(run));
                i += Math.max(0, run.size() - 1);
            }
            conversation.requireSilence();
            return played;
        } catch (Exception | AssertionError e) {
            throw new AssertionError("cannot go on after " + String.join("\n", played), e);
        }
    }

    /** The lines at the beginning that may come in any order. */
    private static List<Line> unordered(List<String> lines) {
        return lines.stream()
                .map(Line::of)
                .takeWhile(line -> line.isPresent() && line.get().mark() == '~')
                .map(Optional::orElseThrow)
                .toList();
    }

    /** What came, in the order in which it is expected. */
    private List<String> heard(List<Line> expected) throws Exception {
        var came = new ArrayList<String>();
        for (var line : expected) {
            came.add(line.with(names.hide(listen(line))));
        }
        var ordered = new ArrayList<String>();
        for (var line : expected) {
            ordered.add(came.remove(line.with(line.text())) ? line.with(line.text()) : null);
        }
        ordered.replaceAll(line -> line == null ? came.removeFirst() : line);
        return ordered;
    }

    private String played(String text) throws Exception {
        var named = NAMED.matcher(text);
        if (named.matches()) {
            names.define(named.group(1), names.reveal(named.group(2)));
        }
        var line = Line.of(text);
        if (line.isEmpty()) {
            return text;
        }
        var it = line.get();
        switch (it.mark()) {
            case '>' -> say(it);
            case '!' -> happen(it.text());
            default -> {
                return it.with(names.hide(listen(it)));
            }
        }
        return text;
    }

    private void happen(String sentence) throws Exception {
        sendRequests();
        if (sentence.startsWith(SERVER)) {
            leave();
            site = new Site(sentence.substring(SERVER.length()));
        } else {
            site.happen(sentence);
        }
    }

    private void say(Line line) throws Exception {
        if (line.text().equals("(leaves)")) {
            wires.remove(line.wire()).close();
        } else if (line.text().matches("(GET|POST|DELETE) /.*")) {
            sendRequests();
            requests.put(line.wire(), new ArrayList<>(List.of(names.reveal(line.text()))));
        } else if (requests.containsKey(line.wire())) {
            requests.get(line.wire()).add(names.reveal(line.text()));
        } else {
            sendRequests();
            connection(line.wire()).send(names.reveal(line.text()));
        }
    }

    private String listen(Line line) throws Exception {
        sendRequests();
        return wires.get(line.wire()).next(line.text());
    }

    private void sendRequests() throws Exception {
        for (var request : requests.entrySet()) {
            var before = wires.put(request.getKey(), new HttpWire(site.address(), request.getValue()));
            requireSilence(before);
        }
        requests.clear();
    }

    private Connection connection(String name) {
        return (Connection) wires.computeIfAbsent(name, wire -> site.connect());
    }

    private void requireSilence() {
        wires.values().forEach(Conversation::requireSilence);
    }

    private static void requireSilence(@Nullable Wire wire) {
        var more = wire == null ? List.of() : wire.unread();
        if (!more.isEmpty()) {
            throw new AssertionError("the server has said more: " + more);
        }
    }

    private void leave() throws Exception {
        for (var wire : wires.values()) {
            wire.close();
        }
        wires.clear();
        if (site != null) {
            site.close();
        }
    }

    @Override
    public void close() throws Exception {
        leave();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The violations that were found in a history, and how much was checked. Not thread-safe. */
public final class Verdict {

    /** A promise that is counted when it is broken. */
    enum Broken {
        LOST("acknowledged calls that were lost"),
        CHANGED("outcomes that changed after the end"),
        WRONG("calls that ended with what is not their own"),
        RAN_TWICE("work that ran twice"),
        STALE_WRITE("writes that were taken after the end"),
        UNANSWERED("requests that were never answered"),
        QUESTION("questions that were never put"),
        FORGOTTEN("calls that their host does not know any more"),
        LATE("tasks of lost servers that others did not have in time");

        final String words;

        Broken(String words) {
            this.words = words;
        }
    }

    enum Counted {
        CALLS("calls, in nine generations"),
        UNMADE("of these not made, because their host was killed over them"),
        ACKNOWLEDGED("of these acknowledged as tasks before their end"),
        SUCCEEDED("ended with their result"),
        REFUSED("were refused, because they could not be stored, and told so"),
        NOT_STARTED("commands could not be started, and failed without having run"),
        INTERRUPTED("that must not run twice ended with their server, and were told so"),
        UNKNOWN("ended without a known outcome, and were told so"),
        REPEATED("steps ran again on a server that had been paused, and did not know yet that others had them"),
        TAKEN_OVER("tasks of lost and paused servers were taken over by others");

        final String words;

        Counted(String words) {
            this.words = words;
        }
    }

    private final Map<Broken, List<String>> found = new EnumMap<>(Broken.class);
    private final Map<Counted, Integer> counts = new EnumMap<>(Counted.class);
    private final List<String> more = new ArrayList<>();

    void count(Counted what) {
        counts.merge(what, 1, Integer::sum);
    }

    /** Adds a line about what was checked to the table. */
    void add(String line) {
        more.add(line);
    }

    /** Adds how many kills there were, and in how long a time, to the table. */
    void struck(int kills, Duration time) {
        add(row(kills, "kills in " + time.toMinutes() + " min " + time.toSecondsPart() + " s"));
    }

    void found(Broken promise, String what) {
        found.computeIfAbsent(promise, none -> new ArrayList<>()).add(what);
    }

    /** Whether every promise was kept. */
    public boolean isClean() {
        return found.isEmpty();
    }

    int counted(Counted what) {
        return counts.getOrDefault(what, 0);
    }

    int broken(Broken promise) {
        return found.getOrDefault(promise, List.of()).size();
    }

    /** The table, and the first examples of broken promises. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (var what : Counted.values()) {
            lines.add(row(counted(what), what.words));
        }
        lines.addAll(more);
        for (var promise : Broken.values()) {
            lines.add(row(broken(promise), promise.words));
        }
        found.forEach((promise, examples) ->
                examples.stream().limit(5).forEach(example -> lines.add(promise.words + ": " + example)));
        return lines;
    }

    private static String row(int count, String words) {
        return String.format("%9d  %s", count, words);
    }
}

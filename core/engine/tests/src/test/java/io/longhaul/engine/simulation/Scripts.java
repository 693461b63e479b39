// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.run.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What the request of a task says: one letter after another, as {@link ScriptedBackend} reads them. Behind a letter
 * that calls children stands what they are, in brackets: their work, and a script of their own.
 */
final class Scripts {

    /** Those that are here twice are drawn twice as often. */
    private static final String LETTERS = "sspprmlqqqQTTgggu";

    /** The letters of {@link ScriptedCalls}. */
    private static final String CALLS = "ccCDdk";

    /**
     * How a script may end: as it should, with an error of the tool's own, by throwing something, or with a failure
     * that is retried.
     */
    private static final List<String> ENDS = List.of("", "", "", "e", "x", "f");

    private static final int DEEPEST = 2;

    /** What a script calls, under a name that is made of its place. */
    record Called(String name, String work, String script) {}

    private Scripts() {}

    static String draw(Random random, String work) {
        return draw(random, work, 0);
    }

    private static String draw(Random random, String work, int depth) {
        var script = new StringBuilder(work.equals("reattach") ? "j" : "");
        for (int letters = random.nextInt(depth == 0 ? 5 : 3); letters >= 0; letters--) {
            if (depth < DEEPEST && random.nextInt(depth == 0 ? 26 : 8) == 0) {
                drawCall(script, random, depth + 1);
            } else {
                script.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
            }
        }
        var end = ENDS.get(random.nextInt(ENDS.size()));
        // What a retry calls again would have two children of a name.
        return script.append(end.equals("f") && script.indexOf("[") >= 0 ? "" : end)
                .toString();
    }

    private static void drawCall(StringBuilder script, Random random, int depth) {
        char letter = CALLS.charAt(random.nextInt(CALLS.length()));
        script.append(letter);
        for (int calls = letter == 'C' || letter == 'D' ? 2 : 1; calls > 0; calls--) {
            Work work = EngineWorld.WORKS.get(random.nextInt(EngineWorld.WORKS.size()));
            script.append('[')
                    .append(work.name())
                    .append(' ')
                    .append(draw(random, work.name(), depth))
                    .append(']');
        }
    }

    /** What the letter at {@code place} calls. */
    static List<Called> calls(String script, int place) {
        var calls = new ArrayList<Called>();
        for (int at = place + 1; isBracket(script, at); at = close(script, at)) {
            int space = script.indexOf(' ', at);
            calls.add(new Called(
                    "call " + place + "." + calls.size(),
                    script.substring(at + 1, space),
                    script.substring(space + 1, close(script, at) - 1)));
        }
        return calls;
    }

    /** The place of the next letter. */
    static int next(String script, int place) {
        int at = place + 1;
        while (isBracket(script, at)) {
            at = close(script, at);
        }
        return at;
    }

    private static boolean isBracket(String script, int at) {
        return at < script.length() && script.charAt(at) == '[';
    }

    /** The place behind the bracket that closes the one at {@code open}. */
    private static int close(String script, int open) {
        int depth = 1;
        int at = open + 1;
        for (; depth > 0; at++) {
            depth += script.charAt(at) == '[' ? 1 : script.charAt(at) == ']' ? -1 : 0;
        }
        return at;
    }
}

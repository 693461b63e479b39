// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What no answer tells a peer, unless the peer has said it itself: errors inside, classes of exceptions, stacks. */
final class Inside {

    /** Limits have this code too. */
    private static final Pattern TOLD =
            Pattern.compile("\"code\":-32603,\"message\":\"(?!The limit of )|(\\w+\\.)+\\w+(Exception|Error)\\b"
                    + "|(\\n|\\\\n)(\\t|\\\\t)at |\\bat (\\w+[./])+\\w+\\(\\w+\\.java");

    private static final Pattern ESCAPED = Pattern.compile("\\\\u([0-9a-fA-F]{4})");

    private Inside() {}

    static void check(String sent, String answer) {
        var told = TOLD.matcher(answer);
        while (told.find()) {
            Target.require(plain(sent).contains(plain(told.group())), "%s is told in %s", told.group(), answer);
        }
    }

    /** As it is without escapes of JSON. */
    private static String plain(String text) {
        return ESCAPED.matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(match.group(1), 16))))
                .replace("\\t", "\t")
                .replace("\\n", "\n");
    }
}

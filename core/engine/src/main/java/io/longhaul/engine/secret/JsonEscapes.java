// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.secret;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text in which each escape of JSON is replaced by what it stands for. Each character is one byte of UTF-8, as in
 * the text with the escapes.
 *
 * @param starts where each character begins in the text with the escapes, and at last where that ends; not
 *               to be changed
 */
@SuppressWarnings("ArrayRecordComponent")
record JsonEscapes(String text, int[] starts) {

    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u((?i:d[89ab])\\p{XDigit}{2})\\\\u((?i:d[c-f])"
            + "\\p{XDigit}{2})|u(\\p{XDigit}{4})|([\"\\\\/bfnrt]))");
    private static final int HEXADECIMAL = 16;

    /** The text alone, in less memory. */
    static String meaning(String output) {
        return ESCAPE.matcher(output).replaceAll(escape -> Matcher.quoteReplacement(meaning(escape)));
    }

    static JsonEscapes of(String output) {
        var text = new StringBuilder(output.length());
        var starts = new int[output.length() + 1];
        int at = 0;
        for (var escape : (Iterable<MatchResult>) ESCAPE.matcher(output).results()::iterator) {
            at = copy(output, at, escape.start(), text, starts);
            for (char each : meaning(escape).toCharArray()) {
                starts[text.length()] = at;
                text.append(each);
            }
            at = escape.end();
        }
        copy(output, at, output.length(), text, starts);
        starts[text.length()] = output.length();
        return new JsonEscapes(text.toString(), starts);
    }

    private static int copy(String output, int from, int to, StringBuilder text, int[] starts) {
        for (int at = from; at < to; at++) {
            starts[text.length()] = at;
            text.append(output.charAt(at));
        }
        return to;
    }

    private static String meaning(MatchResult escape) {
        if (escape.group(4) != null) {
            return switch (escape.group(4)) {
                case "b" -> "\b";
                case "f" -> "\f";
                case "n" -> "\n";
                case "r" -> "\r";
                case "t" -> "\t";
                default -> escape.group(4);
            };
        }
        var units = escape.group(3) == null
                ? new char[] {unit(escape.group(1)), unit(escape.group(2))}
                : new char[] {unit(escape.group(3))};
        return new String(new String(units).getBytes(UTF_8), ISO_8859_1);
    }

    private static char unit(String digits) {
        return (char) Integer.parseInt(digits, HEXADECIMAL);
    }
}

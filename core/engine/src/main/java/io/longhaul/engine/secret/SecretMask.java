// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.secret;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Replaces secrets in text, as they are and as JSON writes them, by {@value #MASK}. Immutable. */
public final class SecretMask {

    /** Masks nothing. */
    public static final SecretMask NONE = new SecretMask(List.of());

    private static final String MASK = "***";

    /** Shorter lines of a secret, such as a brace, are not masked, because they reveal nothing. */
    private static final int SHORTEST_LINE = 8;

    /** An escape of JSON that may be cut at the end of a text, or the first half of a pair of them. */
    private static final Pattern CUT_ESCAPE =
            Pattern.compile("(?:\\\\u(?i:d[89ab])\\p{XDigit}{2})?(?:\\\\(?:u\\p{XDigit}{0,3})?)?$");

    /** The longest first, because a secret can be a part of another, with each byte as one character. */
    private final List<String> secrets;

    private SecretMask(List<String> secrets) {
        this.secrets = secrets;
    }

    /** Masks each secret, and the lines of a secret with several lines. */
    public static SecretMask of(Collection<String> secrets) {
        return longestFirst(secrets.stream()
                .flatMap(secret ->
                        Stream.concat(Stream.of(secret), secret.lines().filter(line -> line.length() >= SHORTEST_LINE)))
                .filter(secret -> !secret.isEmpty())
                .map(secret -> new String(secret.getBytes(UTF_8), ISO_8859_1)));
    }

    private static SecretMask longestFirst(Stream<String> secrets) {
        return new SecretMask(secrets.distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    /** Masks the secrets of both. */
    public SecretMask and(SecretMask other) {
        return longestFirst(Stream.concat(secrets.stream(), other.secrets.stream()));
    }

    /** Masks secrets in UTF-8 text. */
    public byte[] mask(byte[] output) {
        return secrets.isEmpty()
                ? output
                : masked(new String(output, ISO_8859_1)).getBytes(ISO_8859_1);
    }

    /** Masks secrets, and a possible beginning of a secret at the end of {@code output}. */
    public byte[] maskHead(byte[] output) {
        if (secrets.isEmpty()) {
            return output;
        }
        var text = masked(new String(output, ISO_8859_1));
        var json = JsonEscapes.of(CUT_ESCAPE.matcher(text).replaceFirst(""));
        for (var secret : secrets) {
            for (int length = Math.min(secret.length() - 1, text.length()); length > 0; length--) {
                var part = secret.substring(0, length);
                if (text.endsWith(part) || json.text().endsWith(part)) {
                    int shown = text.endsWith(part)
                            ? text.length() - length
                            : json.starts()[json.text().length() - length];
                    return (text.substring(0, shown) + MASK).getBytes(ISO_8859_1);
                }
            }
        }
        return text.getBytes(ISO_8859_1);
    }

    /** Masks secrets, and a possible end of a secret at the beginning of {@code output}. */
    public byte[] maskTail(byte[] output) {
        if (secrets.isEmpty()) {
            return output;
        }
        var text = masked(new String(output, ISO_8859_1));
        var json = JsonEscapes.of(text);
        for (var secret : secrets) {
            for (int length = Math.min(secret.length() - 1, text.length()); length > 0; length--) {
                var part = secret.substring(secret.length() - length);
                if (text.startsWith(part) || json.text().startsWith(part)) {
                    int hidden = text.startsWith(part) ? length : json.starts()[length];
                    return (MASK + text.substring(hidden)).getBytes(ISO_8859_1);
                }
            }
        }
        return text.getBytes(ISO_8859_1);
    }

    private String masked(String output) {
        var text = output.indexOf('\\') < 0 ? output : maskedEscapes(output);
        for (var secret : secrets) {
            text = text.replace(secret, MASK);
        }
        return text;
    }

    /** Masks secrets that JSON writes with escapes: a reader of the JSON has them in clear. */
    private String maskedEscapes(String output) {
        if (secrets.stream().noneMatch(JsonEscapes.meaning(output)::contains)) {
            return output;
        }
        var json = JsonEscapes.of(output);
        var hidden = new BitSet();
        for (var secret : secrets) {
            for (int at = json.text().indexOf(secret); at >= 0; at = json.text().indexOf(secret, at + 1)) {
                hidden.set(at, at + secret.length());
            }
        }
        var masked = new StringBuilder();
        int shown = 0;
        for (int from = hidden.nextSetBit(0); from >= 0; from = hidden.nextSetBit(shown)) {
            masked.append(output, json.starts()[shown], json.starts()[from]).append(MASK);
            shown = hidden.nextClearBit(from);
        }
        return masked.append(output, json.starts()[shown], output.length()).toString();
    }
}

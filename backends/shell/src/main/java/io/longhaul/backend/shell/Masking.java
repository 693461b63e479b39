// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Puts {@value #MASK} in the place of secrets in what a command writes. Immutable. */
final class Masking {

    static final Masking NONE = new Masking(List.of());
    private static final String MASK = "***";

    /** A shorter line of a secret, such as a brace, says nothing by itself. */
    private static final int SHORTEST_LINE = 8;

    /** The longest first, since one can be a part of another; as bytes, each a character. */
    private final List<String> secrets;

    private Masking(List<String> secrets) {
        this.secrets = secrets;
    }

    /** Of each secret, and of the lines of one that has several. */
    static Masking of(Collection<String> secrets) {
        return new Masking(secrets.stream()
                .flatMap(secret ->
                        Stream.concat(Stream.of(secret), secret.lines().filter(line -> line.length() >= SHORTEST_LINE)))
                .distinct()
                .map(secret -> new String(secret.getBytes(UTF_8), ISO_8859_1))
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    byte[] mask(byte[] output) {
        return secrets.isEmpty()
                ? output
                : masked(new String(output, ISO_8859_1)).getBytes(ISO_8859_1);
    }

    /** Masks what can be the beginning of a secret at the end of {@code output}, too. */
    byte[] maskHead(byte[] output) {
        var text = masked(new String(output, ISO_8859_1));
        for (var secret : secrets) {
            for (int length = Math.min(secret.length() - 1, text.length()); length > 0; length--) {
                if (text.endsWith(secret.substring(0, length))) {
                    return (text.substring(0, text.length() - length) + MASK).getBytes(ISO_8859_1);
                }
            }
        }
        return secrets.isEmpty() ? output : text.getBytes(ISO_8859_1);
    }

    /** Masks what can be the end of a secret at the beginning of {@code output}, too. */
    byte[] maskTail(byte[] output) {
        var text = masked(new String(output, ISO_8859_1));
        for (var secret : secrets) {
            for (int length = Math.min(secret.length() - 1, text.length()); length > 0; length--) {
                if (text.startsWith(secret.substring(secret.length() - length))) {
                    return (MASK + text.substring(length)).getBytes(ISO_8859_1);
                }
            }
        }
        return secrets.isEmpty() ? output : text.getBytes(ISO_8859_1);
    }

    private String masked(String output) {
        var text = output;
        for (var secret : secrets) {
            text = text.replace(secret, MASK);
        }
        return text;
    }
}

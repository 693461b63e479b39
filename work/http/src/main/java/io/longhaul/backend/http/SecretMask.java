// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Replaces secrets in the answers of an API by three stars. Immutable. */
record SecretMask(List<String> secrets) {

    private static final String MASK = "***";

    /**
     * The mask for these secrets: the longest first, because a secret can be a part of another, with each byte as one
     * character.
     */
    static SecretMask of(Collection<String> secrets) {
        return new SecretMask(secrets.stream()
                .map(secret -> new String(secret.getBytes(UTF_8), ISO_8859_1))
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    ApiAnswer mask(ApiAnswer answer) {
        return secrets.isEmpty()
                ? answer
                : new ApiAnswer(answer.uri(), answer.status(), answer.headers(), mask(answer.body()), answer.isCut());
    }

    byte[] mask(byte[] bytes) {
        var text = new String(bytes, ISO_8859_1);
        for (var secret : secrets) {
            text = text.replace(secret, MASK);
        }
        if (text.indexOf('\\') >= 0) {
            for (var secret : secrets) {
                text = escaped(secret).matcher(text).replaceAll(MASK);
            }
        }
        return text.getBytes(ISO_8859_1);
    }

    /** A secret as JSON can write it: with any of its characters as an escape. */
    private static Pattern escaped(String secret) {
        return Pattern.compile(
                secret.chars().mapToObj(c -> "(?:" + escaped((char) c) + ")").collect(Collectors.joining()));
    }

    private static String escaped(char c) {
        var code = String.format(Locale.ROOT, "\\\\u(?i:%04x)|", (int) c);
        return code
                + switch (c) {
                    case '"', '\\' -> "\\\\\\" + c;
                    case '/' -> "\\\\?/";
                    case '\t' -> "\\\\t|\t";
                    default -> Pattern.quote(String.valueOf(c));
                };
    }
}

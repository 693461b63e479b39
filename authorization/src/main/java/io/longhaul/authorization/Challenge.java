package io.longhaul.authorization;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a server demands with the scheme {@code Bearer} in {@code WWW-Authenticate} (RFC 9110, 11.6.1).
 *
 * @param parameters by their names in small letters; none where the server demands nothing by this scheme
 */
record Challenge(Map<String, String> parameters) {

    /** The first challenge with the scheme {@code Bearer} among the values of headers, each of which may have many. */
    static Challenge bearer(List<String> headers) {
        for (var header : headers) {
            var found = new Reader(header).bearer();
            if (found.isPresent()) {
                return new Challenge(Map.copyOf(found.get()));
            }
        }
        return new Challenge(Map.of());
    }

    Optional<String> resourceMetadata() {
        return Optional.ofNullable(parameters.get("resource_metadata"));
    }

    /** The scopes that the request needs; none where the server does not say. */
    List<String> scopes() {
        return Scopes.read(parameters.getOrDefault("scope", ""));
    }

    boolean isInsufficientScope() {
        return "insufficient_scope".equals(parameters.get("error"));
    }

    /** Reads one header from its beginning to its end. */
    private static final class Reader {

        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        Optional<Map<String, String>> bearer() {
            Map<String, String> bearer = null;
            while (skip(" \t,")) {
                var word = until(" \t,=");
                skip(" \t");
                if (at < text.length() && text.charAt(at) == '=') {
                    at++;
                    var value = value();
                    if (bearer != null) {
                        bearer.putIfAbsent(word.toLowerCase(Locale.ROOT), value);
                    }
                } else if (bearer != null) {
                    break;
                } else if (word.equalsIgnoreCase("Bearer")) {
                    bearer = new TreeMap<>();
                }
            }
            return Optional.ofNullable(bearer);
        }

        private boolean skip(String some) {
            while (at < text.length() && some.indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return at < text.length();
        }

        private String until(String some) {
            int begin = at;
            while (at < text.length() && some.indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return text.substring(begin, at);
        }

        private String value() {
            skip(" \t");
            if (at >= text.length() || text.charAt(at) != '"') {
                return until(" \t,");
            }
            var value = new StringBuilder();
            for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
                if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                    at++;
                }
                value.append(text.charAt(at));
            }
            at++;
            return value.toString();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.discovery;

import io.longhaul.authorization.proof.ProofKey;
import io.longhaul.authorization.proof.Proofs;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a server demands in {@code WWW-Authenticate} (RFC 9110, 11.6.1).
 *
 * @param schemes the parameters of the first challenge of each scheme; names of schemes and parameters in lower case
 */
public record Challenge(Map<String, Map<String, String>> schemes) {

    private static final String BEARER = "bearer";
    private static final String DPOP = "dpop";

    /** Reads the values of headers, each of which may have several challenges. */
    public static Challenge read(List<String> headers) {
        var schemes = new TreeMap<String, Map<String, String>>();
        headers.forEach(header -> new Reader(header).read(schemes));
        return new Challenge(schemes);
    }

    /** A parameter of a scheme for tokens. */
    private Optional<String> parameter(String name) {
        return Stream.of(BEARER, DPOP)
                .map(scheme -> schemes.getOrDefault(scheme, Map.of()).get(name))
                .filter(Objects::nonNull)
                .findFirst();
    }

    public boolean takesBearer() {
        return schemes.containsKey(BEARER);
    }

    /** Whether the server takes tokens that are bound to a key of our algorithm (RFC 9449, 7.1). */
    public boolean takesBound() {
        var algorithms = schemes.getOrDefault(DPOP, Map.of()).get("algs");
        return schemes.containsKey(DPOP)
                && (algorithms == null || ScopeChoice.read(algorithms).contains(ProofKey.ALGORITHM.getName()));
    }

    /** Whether the server refused a proof because the server's nonce was missing (RFC 9449, 9). */
    public boolean isNonceWanted() {
        return Proofs.WANTED.equals(schemes.getOrDefault(DPOP, Map.of()).get("error"));
    }

    Optional<String> resourceMetadata() {
        return parameter("resource_metadata");
    }

    /** The scopes that the request needs; none where the server does not say. */
    public List<String> scopes() {
        return ScopeChoice.read(parameter("scope").orElse(""));
    }

    public boolean isInsufficientScope() {
        return parameter("error").equals(Optional.of("insufficient_scope"));
    }

    /** Reads one header from its beginning to its end. */
    private static final class Reader {

        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        public void read(Map<String, Map<String, String>> schemes) {
            Map<String, String> scheme = new TreeMap<>();
            while (skip(" \t,")) {
                var word = until(" \t,=").toLowerCase(Locale.ROOT);
                skip(" \t");
                if (at < text.length() && text.charAt(at) == '=') {
                    at++;
                    var value = value();
                    if (!word.isEmpty()) {
                        scheme.putIfAbsent(word, value);
                    }
                } else {
                    scheme = new TreeMap<>();
                    schemes.putIfAbsent(word, scheme);
                }
            }
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

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import io.longhaul.engine.run.Sha256;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The headers of a delivery, not verified yet: the id of the message, and its signatures.
 *
 * @param id         the id of the message, the same with each delivery
 * @param before     the signed bytes before the body
 * @param signatures the signatures, one of which must be valid
 */
record SignedHeaders(String id, byte[] before, List<byte[]> signatures) {

    static final String ID = "webhook-id";
    static final String TIME = "webhook-timestamp";
    static final String SIGNATURE = "webhook-signature";
    static final String GITHUB_ID = "X-GitHub-Delivery";
    static final String GITHUB_SIGNATURE = "X-Hub-Signature-256";
    static final String GITHUB_EVENT = "X-GitHub-Event";

    /** All headers that decide about a delivery of some scheme. */
    static final List<String> ALL =
            List.of(ID, TIME, SIGNATURE, GITHUB_ID, GITHUB_SIGNATURE, GITHUB_EVENT, "Content-Type");

    private static final String GITHUB_VERSION = "sha256=";

    private static final Pattern GOOD_ID = Pattern.compile("[!-~]{1,256}");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");

    /**
     * Reads the headers of a delivery.
     *
     * @param headers gives a field by its name
     * @return empty where the headers cannot be valid now
     */
    static Optional<SignedHeaders> of(SignatureScheme scheme, Function<String, Optional<String>> headers, Instant now) {
        return switch (scheme) {
            case STANDARD -> standard(headers, now);
            case GITHUB -> github(headers);
        };
    }

    private static Optional<SignedHeaders> standard(Function<String, Optional<String>> headers, Instant now) {
        var time = headers.apply(TIME).filter(text -> isNear(text, now));
        var written = headers.apply(SIGNATURE).stream().flatMap(text -> Arrays.stream(text.split(" ")));
        var signatures = decoded(written, Signatures.VERSION, Base64.getDecoder()::decode);
        return id(headers, ID)
                .flatMap(id -> time.map(seconds -> new SignedHeaders(id, Signatures.before(id, seconds), signatures)))
                .filter(claim -> !signatures.isEmpty());
    }

    private static boolean isNear(String seconds, Instant now) {
        return SECONDS.matcher(seconds).matches()
                && Duration.between(Instant.ofEpochSecond(Long.parseLong(seconds)), now)
                                .abs()
                                .compareTo(SignatureScheme.TOLERANCE)
                        <= 0;
    }

    private static Optional<SignedHeaders> github(Function<String, Optional<String>> headers) {
        var written = headers.apply(GITHUB_SIGNATURE).stream();
        var signatures = decoded(written, GITHUB_VERSION, HexFormat.of()::parseHex);
        return id(headers, GITHUB_ID)
                .map(id -> new SignedHeaders(id, new byte[0], signatures))
                .filter(claim -> !signatures.isEmpty());
    }

    private static Optional<String> id(Function<String, Optional<String>> headers, String name) {
        return headers.apply(name).filter(GOOD_ID.asMatchPredicate());
    }

    /** The signatures with this prefix that can be decoded. */
    private static List<byte[]> decoded(Stream<String> signatures, String prefix, Function<String, byte[]> decoder) {
        return signatures
                .filter(one -> one.startsWith(prefix))
                .flatMap(one -> {
                    try {
                        return Stream.of(decoder.apply(one.substring(prefix.length())));
                    } catch (IllegalArgumentException e) {
                        return Stream.empty();
                    }
                })
                .toList();
    }

    /** Whether one of the keys has signed the message with this body. */
    boolean isSigned(List<byte[]> keys, byte[] body) {
        boolean isGood = false;
        for (var key : keys) {
            var good = Sha256.keyed(key, before, body);
            for (var given : signatures) {
                isGood |= MessageDigest.isEqual(good, given);
            }
        }
        return isGood;
    }
}

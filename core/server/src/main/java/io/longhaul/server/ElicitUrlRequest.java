// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.Require;
import io.longhaul.server.internal.schema.FormRules;
import java.net.URI;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Asks a person to do something at a URL, out of the client's sight. Secrets are asked for in this way and never in a
 * form. The client must have declared {@code elicitation.url} (2025-11-25 and later). Immutable.
 *
 * <p>The page must make sure that the person who opens it is the person who was asked. The URL must contain no data
 * about the person, and must not grant access by itself.
 *
 * @param key           the key of the question, unique in the call; null to have one chosen
 * @param elicitationId the unique id of the question for the client and for {@link McpServer#notifyElicitationComplete}
 * @param message       the reason, in a sentence for the person
 * @param url           an absolute URL; https except in development
 */
public record ElicitUrlRequest(@Nullable String key, String elicitationId, String message, String url) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int ID_BYTES = 16;

    public ElicitUrlRequest {
        FormRules.checkMessage(message);
        Require.that(!elicitationId.isBlank(), "elicitationId must not be empty");
        URI address = URI.create(url);
        if (!address.isAbsolute() || address.getHost() == null) {
            throw new IllegalArgumentException("'" + url + "' is no absolute URL");
        }
        if (!"https".equalsIgnoreCase(address.getScheme()) && !"http".equalsIgnoreCase(address.getScheme())) {
            throw new IllegalArgumentException("a person visits https: or http:, not '" + url + "'");
        }
        if (address.getUserInfo() != null) {
            throw new IllegalArgumentException("an address that a person visits must not let anybody in by itself");
        }
    }

    /** A request with a random id that cannot be guessed. */
    public static ElicitUrlRequest of(String message, String url) {
        byte[] id = new byte[ID_BYTES];
        RANDOM.nextBytes(id);
        return new ElicitUrlRequest(null, HexFormat.of().formatHex(id), message, url);
    }
}

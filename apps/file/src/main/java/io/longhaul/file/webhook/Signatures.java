// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.engine.run.Sha256;
import java.io.IOException;
import java.util.Base64;

/** HMAC-SHA256 over messages, as in Standard Webhooks. */
final class Signatures {

    /** The prefix of a signature of this kind. */
    static final String VERSION = "v1,";

    /** The prefix of a secret in Base64. */
    private static final String BINARY = "whsec_";

    private Signatures() {}

    /**
     * The key bytes of a secret: the Base64 after {@code whsec_}, or else the text itself.
     *
     * @throws IOException with a sentence for the operator where the secret is not valid
     */
    static byte[] key(String secret) throws IOException {
        if (!secret.startsWith(BINARY)) {
            return secret.getBytes(UTF_8);
        }
        try {
            var key = Base64.getDecoder().decode(secret.substring(BINARY.length()));
            if (key.length > 0) {
                return key;
            }
        } catch (IllegalArgumentException e) {
            // Its message would quote the secret.
        }
        throw new IOException("a secret for webhooks has no Base64 behind " + BINARY);
    }

    /** The signed bytes before the body. */
    static byte[] before(String id, String seconds) {
        return (id + "." + seconds + ".").getBytes(US_ASCII);
    }

    /** The signature of a message, in the form of its header. */
    static String sign(byte[] key, String id, long seconds, byte[] body) {
        return VERSION
                + Base64.getEncoder().encodeToString(Sha256.keyed(key, before(id, Long.toString(seconds)), body));
    }
}

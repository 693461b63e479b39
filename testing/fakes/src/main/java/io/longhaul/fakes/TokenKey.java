// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import io.longhaul.protocol.json.JsonTree;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import tools.jackson.databind.node.ObjectNode;

/** A key of the curve P-256 that signs tokens, as those of a {@link FakeAuthorizationServer}. Immutable. */
public final class TokenKey {

    private static final int COORDINATE_BYTES = 32;

    private final String id;
    private final KeyPair pair;

    private TokenKey(String id, KeyPair pair) {
        this.id = id;
        this.pair = pair;
    }

    static TokenKey create(String id) {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return new TokenKey(id, generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A token with these claims, signed with ES256. */
    public String sign(String type, ObjectNode claims) {
        return sign(JsonTree.object().put("alg", "ES256").put("typ", type).put("kid", id), claims);
    }

    /** A token with this header, signed with ES256 whatever algorithm the header names. */
    public String sign(ObjectNode header, ObjectNode claims) {
        try {
            var signed = part(header.toString().getBytes(StandardCharsets.UTF_8)) + "."
                    + part(claims.toString().getBytes(StandardCharsets.UTF_8));
            var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
            signature.initSign(pair.getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + part(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The public key as a JSON Web Key. */
    public ObjectNode publicKey() {
        var point = ((ECPublicKey) pair.getPublic()).getW();
        return JsonTree.object()
                .put("kty", "EC")
                .put("crv", "P-256")
                .put("use", "sig")
                .put("alg", "ES256")
                .put("kid", id)
                .put("x", part(coordinate(point.getAffineX())))
                .put("y", part(coordinate(point.getAffineY())));
    }

    private static byte[] coordinate(BigInteger number) {
        var bytes = number.toByteArray();
        var padded = new byte[COORDINATE_BYTES];
        int length = Math.min(bytes.length, COORDINATE_BYTES);
        System.arraycopy(bytes, bytes.length - length, padded, COORDINATE_BYTES - length, length);
        return padded;
    }

    private static String part(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

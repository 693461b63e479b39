// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.proof;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.oauth2.sdk.dpop.DPoPProofFactory;
import com.nimbusds.oauth2.sdk.dpop.DefaultDPoPProofFactory;
import com.nimbusds.oauth2.sdk.id.JWTID;
import com.nimbusds.oauth2.sdk.token.AccessToken;
import com.nimbusds.oauth2.sdk.token.DPoPAccessToken;
import com.nimbusds.openid.connect.sdk.Nonce;
import java.net.URI;
import java.text.ParseException;
import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/** A key that signs a proof for each request: a stolen token is useless without it (DPoP, RFC 9449). Thread-safe. */
public final class ProofKey {

    /** The algorithm that "authorization servers and clients SHOULD support" (the draft of SEP-1932). */
    public static final JWSAlgorithm ALGORITHM = JWSAlgorithm.ES256;

    private final ECKey key;
    private final DPoPProofFactory proofs;

    private ProofKey(ECKey key) throws JOSEException {
        this.key = key;
        this.proofs = new DefaultDPoPProofFactory(key, ALGORITHM);
    }

    public static ProofKey generate() {
        try {
            return new ProofKey(new ECKeyGenerator(Curve.P_256).generate());
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Reads a {@link #text}.
     *
     * @throws IllegalArgumentException where the text is no key
     */
    public static ProofKey parse(String text) {
        try {
            return new ProofKey(ECKey.parse(text));
        } catch (ParseException | JOSEException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The key with its private part: a secret. */
    public String text() {
        return key.toJSONString();
    }

    /**
     * A proof for one request: for its method, and for "the HTTP target URI [...] without query and fragment parts".
     *
     * @param access the access token of the request, or null where the request asks for one
     * @param nonce  the nonce that the server wants in proofs, or null
     */
    String proof(String method, URI target, @Nullable String access, @Nullable String nonce, Instant now) {
        try {
            var id = new JWTID(DPoPProofFactory.MINIMAL_JTI_BYTE_LENGTH);
            var address = URI.create(target.getScheme() + "://" + target.getRawAuthority() + target.getRawPath());
            AccessToken token = access == null ? null : new DPoPAccessToken(access);
            return proofs.createDPoPJWT(
                            id, method, address, Date.from(now), token, nonce == null ? null : new Nonce(nonce))
                    .serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Shows nothing of the key. */
    @Override
    public String toString() {
        return "key of a client";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

/** Signs what somebody says. */
final class Keys {

    static final ECKey KEY = key();

    private Keys() {}

    private static ECKey key() {
        try {
            return new ECKeyGenerator(Curve.P_256).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A signed token about somebody. */
    static String signed(String subject) {
        try {
            var claims = new JWTClaimsSet.Builder().subject(subject).build();
            var jwt = new SignedJWT(new JWSHeader(JWSAlgorithm.ES256), claims);
            jwt.sign(new ECDSASigner(KEY));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whom a token is about. */
    static String subject(String token) throws java.text.ParseException {
        return SignedJWT.parse(token).getJWTClaimsSet().getSubject();
    }
}

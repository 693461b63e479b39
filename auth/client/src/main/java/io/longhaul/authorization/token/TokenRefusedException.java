// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.token;

import io.longhaul.authorization.fetch.GuardedHttp;
import io.longhaul.authorization.proof.Proofs;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** An authorization server refuses a token, with an error code of RFC 6749, 5.2. */
public final class TokenRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String code;

    TokenRefusedException(String issuer, GuardedHttp.Response response) {
        super("The authorization server " + issuer + " gives no token: " + words(response));
        this.code = code(response);
    }

    /** Whether the server does not know the client, or no longer knows it. */
    public boolean isClientUnknown() {
        return code.equals("invalid_client") || code.equals("unauthorized_client");
    }

    /** Whether a response refuses a token because the server's nonce is missing in the proof (RFC 9449, 8). */
    static boolean isNonceWanted(GuardedHttp.Response response) {
        return response.status() / 100 == 4
                && code(response).equals(Proofs.WANTED)
                && response.nonce().isPresent();
    }

    /** The error of a response, in words. */
    public static String words(GuardedHttp.Response response) {
        var text = member(response, "error_description");
        var code = code(response);
        return "HTTP " + response.status() + (code.isEmpty() ? "" : ", " + code) + (text.isEmpty() ? "" : ": " + text)
                + ".";
    }

    private static String code(GuardedHttp.Response response) {
        return member(response, "error");
    }

    private static String member(GuardedHttp.Response response, String name) {
        try {
            return JsonTree.read(response.body().getBytes(StandardCharsets.UTF_8))
                    .path(name)
                    .asString("");
        } catch (RuntimeException e) {
            return "";
        }
    }
}

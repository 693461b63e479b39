// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** An authorization server refuses a token, with an error code of RFC 6749, 5.2. */
final class RefusedToken extends IOException {

    private static final long serialVersionUID = 1L;

    private final String code;

    RefusedToken(String issuer, GuardedHttp.Answer answer) {
        super("The authorization server " + issuer + " gives no token: " + words(answer));
        this.code = code(answer);
    }

    /** Whether the server does not know the client, or no longer knows it. */
    boolean isClientUnknown() {
        return code.equals("invalid_client") || code.equals("unauthorized_client");
    }

    /** Whether an answer refuses a token because the server's nonce is missing in the proof (RFC 9449, 8). */
    static boolean isNonceWanted(GuardedHttp.Answer answer) {
        return answer.status() / 100 == 4
                && code(answer).equals(Proofs.WANTED)
                && answer.nonce().isPresent();
    }

    /** The error of an answer, in words. */
    static String words(GuardedHttp.Answer answer) {
        var text = member(answer, "error_description");
        var code = code(answer);
        return "HTTP " + answer.status() + (code.isEmpty() ? "" : ", " + code) + (text.isEmpty() ? "" : ": " + text)
                + ".";
    }

    private static String code(GuardedHttp.Answer answer) {
        return member(answer, "error");
    }

    private static String member(GuardedHttp.Answer answer, String name) {
        try {
            return JsonTree.read(answer.body().getBytes(StandardCharsets.UTF_8))
                    .path(name)
                    .asString("");
        } catch (RuntimeException e) {
            return "";
        }
    }
}

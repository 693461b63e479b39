// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

/** The result of the check of a token. */
sealed interface TokenVerdict {

    TokenVerdict INVALID = new Invalid(Claims.INVALID);

    record Good(Entitlement grant) implements TokenVerdict {}

    /** @param sentence for the client; it does not tell which check a forged token failed */
    record Invalid(String sentence) implements TokenVerdict {}
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

/** What became of the check of a token. */
sealed interface TokenVerdict {

    TokenVerdict INVALID = new Invalid(Claims.INVALID);

    record Good(Entitlement grant) implements TokenVerdict {}

    /** @param sentence for the client; it does not tell how far a forged token came */
    record Invalid(String sentence) implements TokenVerdict {}
}

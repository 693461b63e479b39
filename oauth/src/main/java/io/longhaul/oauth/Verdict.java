package io.longhaul.oauth;

/** What became of the check of a token. */
sealed interface Verdict {

    Verdict INVALID = new Invalid(Claims.INVALID);

    record Good(Grant grant) implements Verdict {}

    /** @param sentence for the client; it does not tell how far a forged token came */
    record Invalid(String sentence) implements Verdict {}
}

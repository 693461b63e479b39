package io.longhaul.server;

/** Whose a message is, or for whom content is meant. */
public enum Role {
    USER("user"),
    ASSISTANT("assistant");

    private final String word;

    Role(String word) {
        this.word = word;
    }

    /** As the protocol spells it. */
    String word() {
        return word;
    }
}

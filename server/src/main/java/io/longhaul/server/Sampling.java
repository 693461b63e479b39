package io.longhaul.server;

import org.jspecify.annotations.Nullable;

/**
 * A question to the client's model.
 *
 * @param prompt       what the user's side says
 * @param systemPrompt null for none
 * @param maxTokens    the longest answer
 */
public record Sampling(String prompt, @Nullable String systemPrompt, int maxTokens) {

    /** What the model answered. {@code text} is empty where it answered with something else than text. */
    public record Answer(
            String text, String model, @Nullable String stopReason) {}

    public Sampling(String prompt, int maxTokens) {
        this(prompt, null, maxTokens);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

/**
 * One message of a prompt. Immutable.
 *
 * @param role    the sender of the message
 * @param content the content of the message
 */
public record PromptMessage(Role role, Content content) {

    public static PromptMessage user(String text) {
        return new PromptMessage(Role.USER, Content.text(text));
    }

    public static PromptMessage user(Content content) {
        return new PromptMessage(Role.USER, content);
    }

    public static PromptMessage assistant(String text) {
        return new PromptMessage(Role.ASSISTANT, Content.text(text));
    }

    public static PromptMessage assistant(Content content) {
        return new PromptMessage(Role.ASSISTANT, content);
    }
}

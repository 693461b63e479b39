// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.server.CreateMessageRequest.Message;
import io.longhaul.server.SamplingContent.ToolResultContent;
import io.longhaul.server.SamplingContent.ToolUseContent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** "Every assistant message containing tool uses MUST be followed by a user message that consists of their results." */
final class SamplingRules {

    private SamplingRules() {}

    static void check(List<Message> messages) {
        if (messages.isEmpty()) {
            throw new IllegalArgumentException("a question to a model needs a message");
        }
        Set<String> open = Set.of();
        for (Message message : messages) {
            Set<String> answered = outcomes(message);
            if (!answered.equals(open)) {
                throw new IllegalArgumentException("the tool uses " + open
                        + " must be followed by a user message with exactly their outcomes, not " + answered);
            }
            open = uses(message);
        }
        if (!open.isEmpty()) {
            throw new IllegalArgumentException("the tool uses " + open + " have no outcomes");
        }
    }

    private static Set<String> outcomes(Message message) {
        Set<String> ids = new HashSet<>();
        for (SamplingContent item : message.content()) {
            if (item instanceof ToolResultContent outcome) {
                ids.add(outcome.toolUseId());
            }
        }
        if (!ids.isEmpty()
                && (message.role() != Role.USER
                        || ids.size() != message.content().size())) {
            throw new IllegalArgumentException("outcomes of tools stand in a user message of their own");
        }
        return ids;
    }

    private static Set<String> uses(Message message) {
        Set<String> ids = new HashSet<>();
        for (SamplingContent item : message.content()) {
            if (item instanceof ToolUseContent use && !ids.add(use.id())) {
                throw new IllegalArgumentException("two tool uses have the id '" + use.id() + "'");
            }
        }
        if (!ids.isEmpty() && message.role() != Role.ASSISTANT) {
            throw new IllegalArgumentException("only the model uses tools");
        }
        return ids;
    }
}

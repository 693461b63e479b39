// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.Require;
import io.longhaul.server.SamplingContent.ToolResultContent;
import io.longhaul.server.SamplingContent.ToolUseContent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request to the client's model for its next message. Immutable.
 *
 * <p>Deprecated by 2026-07-28 (SEP-2577), which keeps it for at least a year: new servers call a model themselves.
 *
 * @param messages         the conversation so far
 * @param maxTokens        the most tokens of the answer
 * @param systemPrompt     null for none
 * @param tools            the tools that the model may use
 * @param options          how the model is to answer
 * @param modelPreferences which model is to answer; null for any
 */
public record CreateMessageRequest(
        List<Message> messages,
        int maxTokens,
        @Nullable String systemPrompt,
        Tools tools,
        Options options,
        @Nullable ModelPreferences modelPreferences) {

    /**
     * One message. A user's message contains either outcomes of tools or other content, never both.
     *
     * @param role the sender of the message
     */
    public record Message(Role role, List<SamplingContent> content) {
        public Message {
            content = List.copyOf(content);
        }

        /** A message of the user. */
        public static Message user(String text) {
            return new Message(Role.USER, List.of(SamplingContent.text(text)));
        }

        /** A message of the model. */
        public static Message assistant(String text) {
            return new Message(Role.ASSISTANT, List.of(SamplingContent.text(text)));
        }
    }

    /**
     * Tools that the model may use; the client must have declared {@code sampling.tools}.
     *
     * @param offered none for a plain completion
     * @param choice  null for the client's default, {@code AUTO}
     */
    public record Tools(List<ModelTool> offered, @Nullable ToolChoice choice) {
        public static final Tools NONE = new Tools(List.of(), null);

        public Tools {
            offered = List.copyOf(offered);
        }
    }

    /** Whether the model uses tools. */
    public enum ToolChoice {
        AUTO,
        REQUIRED,
        NONE
    }

    /**
     * The context that the model gets beside the messages; values other than {@code NONE} are deprecated since
     * 2025-11-25.
     */
    public enum IncludeContext {
        NONE,
        THIS_SERVER,
        ALL_SERVERS
    }

    /**
     * How the model is to answer.
     *
     * @param temperature    null for the client's
     * @param stopSequences  texts at which the answer ends
     * @param includeContext the context that the model gets beside the messages
     */
    public record Options(@Nullable Double temperature, List<String> stopSequences, IncludeContext includeContext) {
        public static final Options PLAIN = new Options(null, List.of(), IncludeContext.NONE);

        public Options {
            stopSequences = List.copyOf(stopSequences);
        }
    }

    public CreateMessageRequest {
        messages = List.copyOf(messages);
        check(messages);
        Require.that(maxTokens >= 1, "maxTokens must be at least 1, not " + maxTokens);
    }

    public CreateMessageRequest(String prompt, int maxTokens) {
        this(prompt, null, maxTokens);
    }

    /** @param systemPrompt null for none */
    public CreateMessageRequest(String prompt, @Nullable String systemPrompt, int maxTokens) {
        this(List.of(Message.user(prompt)), maxTokens, systemPrompt, Tools.NONE, Options.PLAIN, null);
    }

    /** This request with one more message. */
    public CreateMessageRequest and(Message message) {
        var more = new ArrayList<>(messages);
        more.add(message);
        return new CreateMessageRequest(more, maxTokens, systemPrompt, tools, options, modelPreferences);
    }

    /**
     * The follow-up request after the model wanted tools: adds its answer and the outcomes of the tools.
     *
     * @param outcomes one outcome for each tool use of the answer
     */
    public CreateMessageRequest and(CreateMessageResult answer, List<SamplingContent.ToolResultContent> outcomes) {
        var more = new ArrayList<>(messages);
        more.add(new Message(Role.ASSISTANT, answer.content()));
        more.add(new Message(Role.USER, List.copyOf(outcomes)));
        return new CreateMessageRequest(more, maxTokens, systemPrompt, tools, options, modelPreferences);
    }

    public CreateMessageRequest withSystemPrompt(String prompt) {
        return new CreateMessageRequest(messages, maxTokens, prompt, tools, options, modelPreferences);
    }

    public CreateMessageRequest withTools(ToolChoice choice, ModelTool... offered) {
        return new CreateMessageRequest(
                messages, maxTokens, systemPrompt, new Tools(List.of(offered), choice), options, modelPreferences);
    }

    public CreateMessageRequest withOptions(Options other) {
        return new CreateMessageRequest(messages, maxTokens, systemPrompt, tools, other, modelPreferences);
    }

    public CreateMessageRequest withModelPreferences(ModelPreferences models) {
        return new CreateMessageRequest(messages, maxTokens, systemPrompt, tools, options, models);
    }

    /**
     * "Every assistant message containing tool uses MUST be followed by a user message that consists of their results."
     */
    private static void check(List<Message> messages) {
        Require.that(!messages.isEmpty(), "a question to a model needs a message");
        Set<String> open = Set.of();
        for (Message message : messages) {
            Set<String> answered = outcomes(message);
            if (!answered.equals(open)) {
                throw new IllegalArgumentException("the tool uses " + open
                        + " must be followed by a user message with exactly their outcomes, not " + answered);
            }
            open = uses(message);
        }
        Require.that(open.isEmpty(), "the tool uses " + open + " have no outcomes");
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
        Require.that(ids.isEmpty() || message.role() == Role.ASSISTANT, "only the model uses tools");
        return ids;
    }
}

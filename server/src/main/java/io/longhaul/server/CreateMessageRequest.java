// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request to the client's model for its next message. Immutable.
 *
 * <p>Deprecated by 2026-07-28 (SEP-2577), which still has it for at least a year: new servers call a model themselves.
 *
 * @param messages     the conversation so far
 * @param maxTokens    the longest answer
 * @param systemPrompt null for none
 * @param tools        what the model may use
 * @param options      how it is to answer
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
     * One message. A user's message holds either outcomes of tools or anything else, never both.
     *
     * @param role whose it is
     */
    public record Message(Role role, List<SamplingContent> content) {
        public Message {
            content = List.copyOf(content);
        }

        /** What the user's side says. */
        public static Message user(String text) {
            return new Message(Role.USER, List.of(SamplingContent.text(text)));
        }

        /** What the model has said. */
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

    /** What the model is told of what goes on; anything but {@code NONE} is deprecated since 2025-11-25. */
    public enum IncludeContext {
        NONE("none"),
        THIS_SERVER("thisServer"),
        ALL_SERVERS("allServers");

        private final String word;

        IncludeContext(String word) {
            this.word = word;
        }
    }

    /**
     * How the model is to answer.
     *
     * @param temperature   null for the client's
     * @param stopSequences texts at which it ends
     * @param includeContext what it is told beside the messages
     */
    public record Options(@Nullable Double temperature, List<String> stopSequences, IncludeContext includeContext) {
        public static final Options PLAIN = new Options(null, List.of(), IncludeContext.NONE);

        public Options {
            stopSequences = List.copyOf(stopSequences);
        }
    }

    public CreateMessageRequest {
        messages = List.copyOf(messages);
        SamplingRules.check(messages);
        if (maxTokens < 1) {
            throw new IllegalArgumentException("maxTokens must be at least 1, not " + maxTokens);
        }
    }

    public CreateMessageRequest(String prompt, int maxTokens) {
        this(prompt, null, maxTokens);
    }

    /** @param systemPrompt null for none */
    public CreateMessageRequest(String prompt, @Nullable String systemPrompt, int maxTokens) {
        this(List.of(Message.user(prompt)), maxTokens, systemPrompt, Tools.NONE, Options.PLAIN, null);
    }

    /** The same with one message more. */
    public CreateMessageRequest and(Message message) {
        var more = new ArrayList<>(messages);
        more.add(message);
        return new CreateMessageRequest(more, maxTokens, systemPrompt, tools, options, modelPreferences);
    }

    /**
     * The question that goes on after the model wanted tools: what it said, and what came of them.
     *
     * @param outcomes one for each use that it wanted
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

    /** The params of {@code sampling/createMessage}. */
    Json params() {
        var out = new JsonWriter().beginObject().name("messages").beginArray();
        for (Message message : messages) {
            out.beginObject().name("role").string(message.role().word());
            out.name("content").raw(SamplingForm.write(message.content())).endObject();
        }
        out.endArray().optional("systemPrompt", systemPrompt);
        if (modelPreferences != null) {
            modelPreferences.writeTo(out);
        }
        if (options.includeContext() != IncludeContext.NONE) {
            out.name("includeContext").string(options.includeContext().word);
        }
        if (options.temperature() != null) {
            out.name("temperature").number(options.temperature());
        }
        out.name("maxTokens").number(maxTokens);
        if (!options.stopSequences().isEmpty()) {
            out.name("stopSequences").beginArray();
            options.stopSequences().forEach(out::string);
            out.endArray();
        }
        writeTools(out);
        return out.endObject().toJson();
    }

    private void writeTools(JsonWriter out) {
        if (tools.offered().isEmpty()) {
            return;
        }
        out.name("tools").beginArray();
        for (ModelTool tool : tools.offered()) {
            out.beginObject()
                    .name("name")
                    .string(tool.name())
                    .name("description")
                    .string(tool.description());
            out.name("inputSchema").raw(Json.raw(tool.schema())).endObject();
        }
        out.endArray();
        if (tools.choice() != null) {
            out.name("toolChoice").beginObject().name("mode");
            out.string(tools.choice().name().toLowerCase(Locale.ROOT)).endObject();
        }
    }
}

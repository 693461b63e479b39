package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A question to the client's model. Immutable.
 *
 * <p>Deprecated by 2026-07-28 (SEP-2577), which still has it for at least a year: new servers call a model themselves.
 *
 * @param messages     the conversation so far
 * @param maxTokens    the longest answer
 * @param systemPrompt null for none
 * @param tools        what the model may use
 * @param style        how it is to answer
 * @param preferences  which model is to answer; null for any
 */
public record Sampling(
        List<Message> messages,
        int maxTokens,
        @Nullable String systemPrompt,
        Tools tools,
        Style style,
        @Nullable ModelPreferences preferences) {

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
    public record Tools(List<ModelTool> offered, @Nullable Choice choice) {
        public static final Tools NONE = new Tools(List.of(), null);

        public Tools {
            offered = List.copyOf(offered);
        }
    }

    /** Whether the model uses tools. */
    public enum Choice {
        AUTO,
        REQUIRED,
        NONE
    }

    /** What the model is told of what goes on; anything but {@code NONE} is deprecated since 2025-11-25. */
    public enum Context {
        NONE("none"),
        THIS_SERVER("thisServer"),
        ALL_SERVERS("allServers");

        private final String word;

        Context(String word) {
            this.word = word;
        }
    }

    /**
     * How the model is to answer.
     *
     * @param temperature   null for the client's
     * @param stopSequences texts at which it ends
     * @param context       what it is told beside the messages
     */
    public record Style(@Nullable Double temperature, List<String> stopSequences, Context context) {
        public static final Style PLAIN = new Style(null, List.of(), Context.NONE);

        public Style {
            stopSequences = List.copyOf(stopSequences);
        }
    }

    /**
     * What the model answered.
     *
     * @param content    its items
     * @param model      which one it was
     * @param stopReason such as {@code endTurn}, {@code maxTokens} or {@code toolUse}; null where it is not told
     */
    public record Answer(
            List<SamplingContent> content,
            String model,
            @Nullable String stopReason) {

        /** What it said; empty where it answered with something else than text. */
        public String text() {
            return content.stream()
                    .filter(SamplingContent.Item.class::isInstance)
                    .map(item -> ((SamplingContent.Item) item).content())
                    .filter(Content.Text.class::isInstance)
                    .map(text -> ((Content.Text) text).text())
                    .collect(Collectors.joining());
        }

        /** The tools that it wants to be used. */
        public List<SamplingContent.ToolUse> toolUses() {
            return content.stream()
                    .filter(SamplingContent.ToolUse.class::isInstance)
                    .map(SamplingContent.ToolUse.class::cast)
                    .toList();
        }

        static Answer of(JsonNode answer) {
            String stop = answer.path("stopReason").asString("");
            return new Answer(
                    SamplingForm.read(answer.path("content")),
                    answer.path("model").asString(""),
                    stop.isEmpty() ? null : stop);
        }
    }

    public Sampling {
        messages = List.copyOf(messages);
        SamplingRules.check(messages);
        if (maxTokens < 1) {
            throw new IllegalArgumentException("maxTokens must be at least 1, not " + maxTokens);
        }
    }

    public Sampling(String prompt, int maxTokens) {
        this(prompt, null, maxTokens);
    }

    /** @param systemPrompt null for none */
    public Sampling(String prompt, @Nullable String systemPrompt, int maxTokens) {
        this(List.of(Message.user(prompt)), maxTokens, systemPrompt, Tools.NONE, Style.PLAIN, null);
    }

    /** The same with one message more. */
    public Sampling and(Message message) {
        var more = new ArrayList<>(messages);
        more.add(message);
        return new Sampling(more, maxTokens, systemPrompt, tools, style, preferences);
    }

    /**
     * The question that goes on after the model wanted tools: what it said, and what came of them.
     *
     * @param outcomes one for each use that it wanted
     */
    public Sampling and(Answer answer, List<SamplingContent.ToolOutcome> outcomes) {
        var more = new ArrayList<>(messages);
        more.add(new Message(Role.ASSISTANT, answer.content()));
        more.add(new Message(Role.USER, List.copyOf(outcomes)));
        return new Sampling(more, maxTokens, systemPrompt, tools, style, preferences);
    }

    public Sampling withSystemPrompt(String prompt) {
        return new Sampling(messages, maxTokens, prompt, tools, style, preferences);
    }

    public Sampling withTools(Choice choice, ModelTool... offered) {
        return new Sampling(messages, maxTokens, systemPrompt, new Tools(List.of(offered), choice), style, preferences);
    }

    public Sampling withStyle(Style other) {
        return new Sampling(messages, maxTokens, systemPrompt, tools, other, preferences);
    }

    public Sampling preferring(ModelPreferences models) {
        return new Sampling(messages, maxTokens, systemPrompt, tools, style, models);
    }

    /** The params of {@code sampling/createMessage}. */
    Json params() {
        var out = new JsonWriter().beginObject().name("messages").beginArray();
        for (Message message : messages) {
            out.beginObject().name("role").string(message.role().word());
            out.name("content").raw(SamplingForm.write(message.content())).endObject();
        }
        out.endArray().optional("systemPrompt", systemPrompt);
        if (preferences != null) {
            preferences.writeTo(out);
        }
        if (style.context() != Context.NONE) {
            out.name("includeContext").string(style.context().word);
        }
        if (style.temperature() != null) {
            out.name("temperature").number(style.temperature());
        }
        out.name("maxTokens").number(maxTokens);
        if (!style.stopSequences().isEmpty()) {
            out.name("stopSequences").beginArray();
            style.stopSequences().forEach(out::string);
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

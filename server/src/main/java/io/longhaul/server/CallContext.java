package io.longhaul.server;

import io.longhaul.peer.task.Questions;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What calls of quick and of long-running tools have in common: how questions are spelled and answers are read. */
abstract class CallContext implements TaskContext {

    /**
     * One question.
     *
     * @param key null to have one chosen
     */
    record Ask(@Nullable String key, String method, Json params) {
        static Ask of(Question question) {
            var params = new JsonWriter().beginObject().name("message").string(question.message());
            params.name("requestedSchema").raw(Json.raw(question.schema()));
            return new Ask(question.key(), Questions.ELICIT, params.endObject().toJson());
        }
    }

    private final JsonNode arguments;

    CallContext(JsonNode arguments) {
        this.arguments = arguments;
    }

    /** Puts questions at the same time, and gives the results in the same order. */
    abstract List<JsonNode> ask(List<Ask> asks) throws InterruptedException;

    @Override
    public JsonNode arguments() {
        return arguments;
    }

    @Override
    public <T> Elicited<T> elicit(String message, Class<T> form) throws InterruptedException {
        return bind(elicit(Question.of(null, message, form)), form);
    }

    @Override
    public Elicited<JsonNode> elicit(Question question) throws InterruptedException {
        return elicitAll(List.of(question)).getFirst();
    }

    @Override
    public List<Elicited<JsonNode>> elicitAll(List<Question> questions) throws InterruptedException {
        return ask(questions.stream().map(Ask::of).toList()).stream()
                .map(CallContext::elicited)
                .toList();
    }

    @Override
    public Sampling.Answer sample(Sampling question) throws InterruptedException {
        var params =
                new JsonWriter().beginObject().name("messages").beginArray().beginObject();
        params.name("role").string("user").name("content").beginObject();
        params.name("type")
                .string("text")
                .name("text")
                .string(question.prompt())
                .endObject();
        params.endObject().endArray().optional("systemPrompt", question.systemPrompt());
        params.name("maxTokens").number(question.maxTokens());
        var ask = new Ask(null, Questions.SAMPLE, params.endObject().toJson());
        JsonNode answer = ask(List.of(ask)).getFirst();
        String stop = answer.path("stopReason").asString("");
        return new Sampling.Answer(
                answer.path("content").path("text").asString(""),
                answer.path("model").asString(""),
                stop.isEmpty() ? null : stop);
    }

    @Override
    public List<Root> roots() throws InterruptedException {
        var ask = new Ask(null, Questions.ROOTS, Json.EMPTY_OBJECT);
        List<Root> roots = new ArrayList<>();
        for (JsonNode root : ask(List.of(ask)).getFirst().path("roots")) {
            String name = root.path("name").asString("");
            roots.add(new Root(root.path("uri").asString(""), name.isEmpty() ? null : name));
        }
        return roots;
    }

    static Elicited<JsonNode> elicited(JsonNode answer) {
        var action = Elicited.Action.valueOf(answer.path("action").asString("").toUpperCase(Locale.ROOT));
        return new Elicited<>(action, action == Elicited.Action.ACCEPT ? answer.path("content") : null);
    }

    static <T> Elicited<T> bind(Elicited<JsonNode> answer, Class<T> form) {
        return new Elicited<>(answer.action(), answer.given() == null ? null : Values.bind(answer.given(), form));
    }
}

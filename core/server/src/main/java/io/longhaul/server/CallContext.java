// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.dialect.words.Splice;
import io.longhaul.protocol.dialect.words.TraceWords;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.session.LogLevels;
import io.longhaul.server.CallInterceptor.Action;
import io.longhaul.server.CallInterceptor.Part;
import io.longhaul.server.internal.schema.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The common base of the contexts of quick and of long-running tools: writes questions and reads answers. */
abstract class CallContext implements ToolContext {

    /**
     * One question.
     *
     * @param key null to have one chosen
     */
    record Ask(@Nullable String key, String method, Json params) {
        Answer.Question question() {
            return new Answer.Question(method, params);
        }

        static Ask of(ElicitRequest question) {
            var params = new JsonWriter().beginObject().name("message").string(question.message());
            params.name("requestedSchema").raw(Json.raw(question.schema()));
            return new Ask(
                    question.key(), QuestionKinds.ELICIT, params.endObject().toJson());
        }

        static Ask of(ElicitUrlRequest question) {
            return new Ask(question.key(), QuestionKinds.ELICIT, question.params());
        }

        static Ask of(@Nullable String key, CreateMessageRequest question) {
            return new Ask(key, QuestionKinds.SAMPLE, question.params());
        }

        static Ask roots(@Nullable String key) {
            return new Ask(key, QuestionKinds.ROOTS, Json.EMPTY_OBJECT);
        }
    }

    private final JsonNode arguments;
    private volatile Interceptors.@Nullable Parts passing;

    CallContext(JsonNode arguments) {
        this.arguments = arguments;
    }

    /** Sets the interceptors for the parts of the handler, before the handler runs. */
    final void pass(Interceptors.Parts parts) {
        passing = parts;
    }

    /** Runs a part of the handler inside the interceptors. */
    final <T, X extends Exception> T within(Part part, Action<T, X> action) throws X {
        var parts = passing;
        return parts == null ? action.run() : parts.around(part, action);
    }

    /** Asks several questions at once, and gives the results in the same order. */
    final List<JsonNode> ask(List<Ask> asks) throws InterruptedException {
        return asks.isEmpty() ? List.of() : within(Part.Questions.of(asks), () -> put(asks));
    }

    /** Asks several questions at once as {@link #ask} does, without interceptors. */
    abstract List<JsonNode> put(List<Ask> asks) throws InterruptedException;

    /** Reports progress towards {@code total}; null where the total is unknown. */
    abstract void report(double done, @Nullable Double total, @Nullable String message);

    @Override
    public final void progress(double done, double total, @Nullable String message) {
        report(done, total, message);
    }

    @Override
    public final void progress(double done, @Nullable String message) {
        report(done, null, message);
    }

    /** Sends a log line whose level is one of the protocol. */
    abstract void logLine(String level, Object data);

    @Override
    public final void log(String level, Object data) {
        logLine(LogLevels.checked(level), data);
    }

    /** The kinds of questions that the caller supports. */
    abstract Asking asking();

    /** The params of a question with the trace of the call, so that the work of the client belongs to that trace. */
    Json traced(Ask ask) {
        var meta = TraceWords.meta(trace());
        return meta.isEmpty() ? ask.params() : Splice.into(ask.params(), Map.of(), meta);
    }

    @Override
    public JsonNode arguments() {
        return arguments;
    }

    @Override
    public <T> ElicitResult<T> elicit(String message, Class<T> form) throws InterruptedException {
        return bind(elicit(ElicitRequest.of(null, message, form)), form);
    }

    @Override
    public ElicitResult<JsonNode> elicit(ElicitRequest question) throws InterruptedException {
        return elicitAll(List.of(question)).getFirst();
    }

    @Override
    public List<ElicitResult<JsonNode>> elicitAll(List<ElicitRequest> questions) throws InterruptedException {
        return ask(questions.stream().map(Ask::of).toList()).stream()
                .map(CallContext::elicited)
                .toList();
    }

    @Override
    public ElicitResult.Action elicitUrl(ElicitUrlRequest question) throws InterruptedException {
        return elicited(ask(List.of(Ask.of(question))).getFirst()).action();
    }

    @Override
    public CreateMessageResult sample(CreateMessageRequest question) throws InterruptedException {
        return CreateMessageResult.of(ask(List.of(Ask.of(null, question))).getFirst());
    }

    @Override
    public List<Root> listRoots() throws InterruptedException {
        return listRoots(ask(List.of(Ask.roots(null))).getFirst());
    }

    @Override
    public InputRequests inputRequests() {
        return new InputRequests(this);
    }

    @Override
    public ClientCapabilities capabilities() {
        return ClientCapabilities.of(asking().capabilities());
    }

    static List<Root> listRoots(JsonNode answer) {
        List<Root> roots = new ArrayList<>();
        for (JsonNode root : answer.path("roots")) {
            String name = root.path("name").asString("");
            roots.add(new Root(root.path("uri").asString(""), name.isEmpty() ? null : name));
        }
        return List.copyOf(roots);
    }

    static ElicitResult<JsonNode> elicited(JsonNode answer) {
        var action =
                ElicitResult.Action.valueOf(answer.path("action").asString("").toUpperCase(Locale.ROOT));
        var content =
                answer.path("content").isObject() ? answer.path("content") : JsonNodeFactory.instance.objectNode();
        return new ElicitResult<>(action, action == ElicitResult.Action.ACCEPT ? content : null);
    }

    static <T> ElicitResult<T> bind(ElicitResult<JsonNode> answer, Class<T> form) {
        return new ElicitResult<>(answer.action(), answer.accepted() ? Values.bind(answer.content(), form) : null);
    }
}

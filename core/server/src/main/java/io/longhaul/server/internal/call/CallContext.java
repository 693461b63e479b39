// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.call;

import io.longhaul.protocol.dialect.words.Splice;
import io.longhaul.protocol.dialect.words.TraceCodec;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.session.LogLevels;
import io.longhaul.server.CallInterceptor.Action;
import io.longhaul.server.CallInterceptor.Part;
import io.longhaul.server.ClientCapabilities;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.CreateMessageResult;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.ElicitResult;
import io.longhaul.server.ElicitUrlRequest;
import io.longhaul.server.InputRequests;
import io.longhaul.server.Root;
import io.longhaul.server.ToolContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The common base of the contexts of quick and of long-running tools: writes questions and reads answers. */
abstract class CallContext implements ToolContext {

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

    /** Asks several questions at once, and gives the responses in the same order. */
    final List<JsonNode> ask(List<? extends Ask<?>> asks) throws InterruptedException {
        if (asks.isEmpty()) {
            return List.of();
        }
        var part = new Part.Questions(asks.stream().map(Ask::method).toList());
        return within(part, () -> put(asks));
    }

    final <T> T ask(Ask<T> question) throws InterruptedException {
        return question.reader().apply(ask(List.of(question)).getFirst());
    }

    /** Asks several questions at once as {@link #ask} does, without interceptors. */
    abstract List<JsonNode> put(List<? extends Ask<?>> asks) throws InterruptedException;

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
    final Json traced(Ask<?> ask) {
        var meta = TraceCodec.meta(trace());
        return meta.isEmpty() ? ask.params() : Splice.into(ask.params(), Map.of(), meta);
    }

    @Override
    public JsonNode arguments() {
        return arguments;
    }

    @Override
    public <T> ElicitResult<T> elicit(String message, Class<T> form) throws InterruptedException {
        return Ask.bound(elicit(ElicitRequest.of(null, message, form)), form);
    }

    @Override
    public ElicitResult<JsonNode> elicit(ElicitRequest question) throws InterruptedException {
        return ask(Ask.form(question));
    }

    @Override
    public List<ElicitResult<JsonNode>> elicitAll(List<ElicitRequest> questions) throws InterruptedException {
        return ask(questions.stream().map(Ask::form).toList()).stream()
                .map(Ask::elicited)
                .toList();
    }

    @Override
    public ElicitResult.Action elicitUrl(ElicitUrlRequest question) throws InterruptedException {
        return ask(Ask.url(question));
    }

    @Override
    public CreateMessageResult sample(CreateMessageRequest question) throws InterruptedException {
        return ask(Ask.sampling(null, question));
    }

    @Override
    public List<Root> listRoots() throws InterruptedException {
        return ask(Ask.roots(null));
    }

    @Override
    public InputRequests inputRequests() {
        return new CollectedRequests(this);
    }

    @Override
    public ClientCapabilities capabilities() {
        var declared = asking().capabilities();
        return new ClientCapabilities(
                declared.form(),
                declared.url(),
                declared.sampling(),
                declared.more().tools(),
                declared.roots());
    }
}

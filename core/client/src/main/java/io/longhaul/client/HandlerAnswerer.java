// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.call.Answer.Question;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.words.ClientReading;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.HostedRows;
import io.longhaul.schema.SchemaCheck;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Translates the questions of a server for the user's handler, and the handler's replies into results of the protocol.
 */
final class HandlerAnswerer implements Answerer {

    private static final Logger log = LoggerFactory.getLogger(HandlerAnswerer.class);

    private final QuestionHandler handler;
    private final HostedRows rows;
    private final AtomicBoolean warned = new AtomicBoolean();
    private volatile String server = "";

    HandlerAnswerer(QuestionHandler handler, HostedRows rows) {
        this.handler = handler;
        this.rows = rows;
    }

    @Override
    public HostedRows rows() {
        return rows;
    }

    /** Sets the name of the server, which each later question shows. */
    void serverIs(String name) {
        server = name;
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(
                handler.forForms().isPresent(),
                handler.forLinks().isPresent(),
                handler.forSampling().isPresent(),
                handler.forRoots().isPresent(),
                false);
    }

    @Override
    public Given answer(Question question) {
        return switch (question.method()) {
            case "elicitation/create" -> elicit(JsonTree.read(question.params()));
            case "sampling/createMessage" ->
                handler.forSampling()
                        .map(sampling -> sample(question, sampling))
                        .orElseGet(() -> cannot(question.method()));
            case "roots/list" ->
                handler.forRoots()
                        .<Given>map(roots -> new Given.Result(roots(roots.get())))
                        .orElseGet(() -> cannot(question.method()));
            default -> cannot(question.method());
        };
    }

    private Given elicit(JsonNode params) {
        var message = params.path("message").asString("");
        return switch (params.path("mode").asString("form")) {
            case "form" ->
                handler.forForms()
                        .map(forms -> fill(
                                new QuestionHandler.Form(
                                        server, message, JsonTree.write(params.path("requestedSchema"))),
                                forms))
                        .orElseGet(HandlerAnswerer::undeclared);
            case "url" ->
                handler.forLinks()
                        .map(links -> visit(
                                new QuestionHandler.Link(
                                        server,
                                        message,
                                        params.path("url").asString(""),
                                        ClientReading.optionalText(params, "elicitationId")),
                                links))
                        .orElseGet(HandlerAnswerer::undeclared);
            default -> undeclared();
        };
    }

    /** Declines, without asking a person, an address that is no web page. The log names the first one alone. */
    private Given visit(QuestionHandler.Link link, Function<QuestionHandler.Link, Reply> links) {
        if (link.isWeb()) {
            return given(links.apply(link), false);
        }
        if (!warned.getAndSet(true)) {
            log.warn(
                    "{} asks to visit {}, which is no address of http or https: declined; others are not logged",
                    link.server(),
                    link.url());
        }
        return new Given.Result(reply(new Reply.Declined(), false));
    }

    private static Given fill(QuestionHandler.Form form, Function<QuestionHandler.Form, Reply> forms) {
        var reply = forms.apply(form);
        if (reply instanceof Reply.Accepted(var content)) {
            try {
                var problem = SchemaCheck.ofForm(form.schema().toString()).problem(content);
                if (problem.isPresent()) {
                    log.warn("a form was filled in with what does not fit it: {}", problem.get());
                    return new Given.Cannot(
                            new RpcError(RpcError.INTERNAL_ERROR, "The client has no answer that fits the question."));
                }
            } catch (IllegalArgumentException e) {
                log.warn("a form was dismissed whose schema no answer can be checked with: {}", e.getMessage());
                return new Given.Result(reply(new Reply.Dismissed(), true));
            }
        }
        return given(reply, true);
    }

    private static Given given(Reply reply, boolean hasContent) {
        return reply instanceof Reply.LeftOpen
                ? new Given.Cannot(new RpcError(
                        RpcError.INTERNAL_ERROR, "The client has no answer, and leaves the question open."))
                : new Given.Result(reply(reply, hasContent));
    }

    private static Given sample(Question question, UnaryOperator<Json> sampling) {
        var problem = SamplingRequestCheck.problem(JsonTree.read(question.params()));
        return problem.isPresent()
                ? new Given.Cannot(new RpcError(RpcError.INVALID_PARAMS, problem.get()))
                : new Given.Result(sampling.apply(question.params()));
    }

    private static Json reply(Reply reply, boolean hasContent) {
        var node = JsonTree.object();
        switch (reply) {
            case Reply.Accepted(var content) -> {
                node.put("action", "accept");
                if (hasContent) {
                    node.set("content", JsonTree.read(content));
                }
            }
            case Reply.Declined declined -> node.put("action", "decline");
            case Reply.Dismissed dismissed -> node.put("action", "cancel");
            case Reply.LeftOpen open -> throw new IllegalArgumentException("no answer is given");
        }
        return JsonTree.write(node);
    }

    private static Json roots(Iterable<QuestionHandler.Root> roots) {
        var node = JsonTree.object();
        var list = node.putArray("roots");
        for (var root : roots) {
            var entry = list.addObject().put("uri", root.uri().toString());
            if (root.name() != null) {
                entry.put("name", root.name());
            }
        }
        return JsonTree.write(node);
    }

    private static Given cannot(String method) {
        return new Given.Cannot(new RpcError(RpcError.METHOD_NOT_FOUND, "This client does not answer " + method + "."));
    }

    private static Given undeclared() {
        return new Given.Cannot(
                new RpcError(RpcError.INVALID_PARAMS, "This client did not declare this mode of elicitation."));
    }
}

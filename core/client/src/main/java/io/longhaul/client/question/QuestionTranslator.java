// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.question;

import io.longhaul.client.QuestionHandler.Form;
import io.longhaul.client.QuestionHandler.Link;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.QuestionHandler.Root;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.AnswerTaskRows;
import io.longhaul.requestor.Answerer;
import io.longhaul.schema.SchemaCheck;
import io.longhaul.transport.ClientHttp;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Translates the questions of a server for the user's handler, and the handler's replies into results of the protocol.
 */
public final class QuestionTranslator implements Answerer {

    private static final Logger log = LoggerFactory.getLogger(QuestionTranslator.class);

    private final @Nullable Function<Form, Reply> forms;
    private final @Nullable Function<Link, Reply> links;
    private final @Nullable UnaryOperator<Json> sampling;
    private final @Nullable Supplier<List<Root>> roots;
    private final AnswerTaskRows rows;
    private final AtomicBoolean warned = new AtomicBoolean();
    private volatile String server = "";

    /** Each function of the handler is null where the client does not declare it. */
    public QuestionTranslator(
            @Nullable Function<Form, Reply> forms,
            @Nullable Function<Link, Reply> links,
            @Nullable UnaryOperator<Json> sampling,
            @Nullable Supplier<List<Root>> roots,
            AnswerTaskRows rows) {
        this.forms = forms;
        this.links = links;
        this.sampling = sampling;
        this.roots = roots;
        this.rows = rows;
    }

    @Override
    public AnswerTaskRows rows() {
        return rows;
    }

    /** Sets the name of the server, which each later question shows. */
    public void serverIs(String name) {
        server = name;
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(forms != null, links != null, sampling != null, roots != null, false);
    }

    @Override
    public Given answer(Question question) {
        var method = question.method();
        if (method.equals("elicitation/create")) {
            return elicit(JsonTree.read(question.params()));
        }
        if (method.equals("sampling/createMessage") && sampling != null) {
            return sample(question, sampling);
        }
        if (method.equals("roots/list") && roots != null) {
            return new Given.Result(roots(roots.get()));
        }
        return new Given.Cannot(new RpcError(RpcError.METHOD_NOT_FOUND, "This client does not answer " + method + "."));
    }

    private Given elicit(JsonNode params) {
        var mode = params.path("mode").asString("form");
        var message = params.path("message").asString("");
        if (mode.equals("form") && forms != null) {
            return fill(new Form(server, message, JsonTree.write(params.path("requestedSchema"))), forms);
        }
        if (mode.equals("url") && links != null) {
            var url = params.path("url").asString("");
            return visit(new Link(server, message, url, ClientReader.optionalText(params, "elicitationId")), links);
        }
        return new Given.Cannot(
                new RpcError(RpcError.INVALID_PARAMS, "This client did not declare this mode of elicitation."));
    }

    /** Declines, without asking a person, an address that is no web page. The log names the first one alone. */
    private Given visit(Link link, Function<Link, Reply> answer) {
        if (isWeb(link.url())) {
            return given(answer.apply(link), false);
        }
        if (!warned.getAndSet(true)) {
            log.warn(
                    "{} asks to visit {}, which is no address of http or https: declined; others are not logged",
                    link.server(),
                    link.url());
        }
        return new Given.Result(reply(new Reply.Declined(), false));
    }

    /** Whether a person can visit the address: http or https, with a host. */
    static boolean isWeb(String url) {
        try {
            return ClientHttp.isOfServer(new URI(url));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static Given fill(Form form, Function<Form, Reply> answer) {
        var reply = answer.apply(form);
        if (reply instanceof Reply.Accepted(var content)) {
            try {
                var problem = SchemaCheck.ofForm(form.schema().toString()).problem(content);
                if (problem.isPresent()) {
                    log.warn("a form was filled in with what does not fit it: {}", problem.get());
                    return new Given.LeftOpen("The client has no answer that fits the question.");
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
                ? new Given.LeftOpen("The client has no answer, and leaves the question open.")
                : new Given.Result(reply(reply, hasContent));
    }

    private static Given sample(Question question, UnaryOperator<Json> answer) {
        var problem = SamplingRequestCheck.problem(JsonTree.read(question.params()));
        return problem.isPresent()
                ? new Given.Cannot(new RpcError(RpcError.INVALID_PARAMS, problem.get()))
                : new Given.Result(answer.apply(question.params()));
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

    private static Json roots(Iterable<Root> folders) {
        var node = JsonTree.object();
        var list = node.putArray("roots");
        for (var root : folders) {
            var entry = list.addObject().put("uri", root.uri().toString());
            if (root.name() != null) {
                entry.put("name", root.name());
            }
        }
        return JsonTree.write(node);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.Require;
import io.longhaul.protocol.json.Json;
import java.net.URI;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Answers the questions that a server asks while it works. The client declares the functions that are set here as its
 * capabilities, and a server may ask for nothing else. Immutable. Threads of the client call the functions: in order
 * and one at a time for the questions that a task shows, concurrently for all other questions. The client interrupts
 * the thread when the server no longer needs the answer. A call whose task shows a question that no function answers,
 * or that a function fails to answer, ends as {@link CallOutcome.Unanswered}; the task waits for a client that can.
 */
public final class QuestionHandler {

    /** Answers nothing and declares nothing. */
    public static final QuestionHandler NONE = new QuestionHandler(null, null, null, null);

    /**
     * A form for a person.
     *
     * @param server  the name of the server that asks, as it calls itself, not to be trusted on a terminal
     * @param message what is asked, not to be trusted on a terminal
     * @param schema  JSON Schema of the answer: an object with flat properties
     */
    public record Form(String server, String message, Json schema) {}

    /**
     * A web address that the server asks a person to visit. Never open or fetch the address without the person's
     * consent. A link of another scheme than http or https, such as {@code file:} or {@code javascript:}, is declined
     * without asking the person.
     *
     * @param server  the name of the server that asks, as it calls itself, not to be trusted on a terminal
     * @param message what is asked, not to be trusted on a terminal
     * @param url     the address; show it whole, and its host separately
     * @param id      by which {@link McpClient#onElicitationComplete} tells that the person is done there; null where
     *     the server gave none
     */
    public record Link(
            String server,
            String message,
            String url,
            @Nullable String id) {}

    /** How a person replied to a question. */
    public sealed interface Reply {
        /** The person agreed; {@code content} is the filled form as a JSON object, or the empty object for a link. */
        record Accepted(Json content) implements Reply {}

        /** The person refused. */
        record Declined() implements Reply {}

        /** The person closed the question without a choice. */
        record Dismissed() implements Reply {}

        /**
         * The person gave no answer. The question of a task stays open, and the call ends as
         * {@link CallOutcome.Unanswered}; a client that attaches to the task can answer.
         */
        record LeftOpen() implements Reply {}
    }

    /**
     * A folder that the server may work in.
     *
     * @param uri a {@code file:} URI
     */
    public record Root(URI uri, @Nullable String name) {
        public Root {
            Require.that("file".equalsIgnoreCase(uri.getScheme()), "a root is a file: URI, not " + uri);
        }
    }

    final @Nullable Function<Form, Reply> forms;
    final @Nullable Function<Link, Reply> links;
    final @Nullable UnaryOperator<Json> sampling;
    final @Nullable Supplier<List<Root>> roots;

    private QuestionHandler(
            @Nullable Function<Form, Reply> forms,
            @Nullable Function<Link, Reply> links,
            @Nullable UnaryOperator<Json> sampling,
            @Nullable Supplier<List<Root>> roots) {
        this.forms = forms;
        this.links = links;
        this.sampling = sampling;
        this.roots = roots;
    }

    /** Also answers forms. */
    public QuestionHandler forms(Function<Form, Reply> answer) {
        return new QuestionHandler(answer, links, sampling, roots);
    }

    /** Also answers requests to visit a web address. */
    public QuestionHandler links(Function<Link, Reply> answer) {
        return new QuestionHandler(forms, answer, sampling, roots);
    }

    /** Also answers requests for a completion: {@code answer} takes the params of the request and gives its result. */
    public QuestionHandler sampling(UnaryOperator<Json> answer) {
        return new QuestionHandler(forms, links, answer, roots);
    }

    /** Also gives the server the folders that it may work in. */
    public QuestionHandler roots(Supplier<List<Root>> answer) {
        return new QuestionHandler(forms, links, sampling, answer);
    }
}

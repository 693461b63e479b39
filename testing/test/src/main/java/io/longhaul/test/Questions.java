// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.schema.SchemaCheck;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The questions to the client of one call; each question waits for the answer of the test. Thread-safe. */
final class Questions {

    private final News news;
    private final List<Question> asked = new CopyOnWriteArrayList<>();

    Questions(News news) {
        this.news = news;
    }

    /**
     * A question that came to the client.
     *
     * @param message the text of the question for a person or a model
     * @param form    JSON Schema of the answer, or null where the question is no form
     */
    record Question(String message, @Nullable Json form, CompletableFuture<Answer> answer) {

        /** The problem of the content of an answer; empty for none. */
        Optional<String> problem(Json content) {
            return form == null
                    ? Optional.empty()
                    : SchemaCheck.ofForm(form.toString()).problem(content);
        }
    }

    /** The answer of the test. */
    sealed interface Answer {
        /** An answer with the content of a form, or the result of a model. */
        record Given(Json content) implements Answer {}

        /** An answer without content. */
        record Refused(Reply reply) implements Answer {}
    }

    QuestionHandler handler() {
        return QuestionHandler.NONE
                .forms(form -> reply(form.message(), form.schema()))
                .links(link -> reply(link.message(), null))
                .sampling(this::sample);
    }

    private Reply reply(String message, @Nullable Json form) {
        return switch (ask(message, form)) {
            case Answer.Given(var content) -> new Reply.Accepted(content);
            case Answer.Refused(var reply) -> reply;
        };
    }

    private Json sample(Json params) {
        return switch (ask(sampled(JsonTree.read(params)), null)) {
            case Answer.Given(var content) -> content;
            case Answer.Refused refused -> throw new IllegalStateException("a model does not decline");
        };
    }

    /** The words of a stored question. */
    static String message(JsonNode params) {
        return params.path("message").asStringOpt().orElseGet(() -> sampled(params));
    }

    /** The last text of a question to a model. */
    private static String sampled(JsonNode params) {
        return params.path("messages")
                .valueStream()
                .flatMap(message -> message.findValues("text").stream())
                .map(JsonNode::asString)
                .reduce((before, last) -> last)
                .orElse("");
    }

    private Answer ask(String message, @Nullable Json form) {
        var question = new Question(message, form, new CompletableFuture<>());
        asked.add(question);
        news.tell();
        try {
            return question.answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            asked.remove(question);
            return new Answer.Refused(new Reply.LeftOpen());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether a question with these words has come, answered or not. */
    boolean hasSeen(String part) {
        return asked.stream().anyMatch(question -> question.message.contains(part));
    }

    /** Whether a question waits for its answer. */
    boolean isAsking() {
        return asked.stream().anyMatch(question -> !question.answer.isDone());
    }

    /** The questions with matching words that wait for their answers. */
    List<Question> open(Predicate<String> words) {
        return asked.stream()
                .filter(question -> !question.answer.isDone() && words.test(question.message))
                .toList();
    }
}

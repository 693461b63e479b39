// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.RemoteCall;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.test.Questions.Answer;
import io.longhaul.test.Questions.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.AssertProvider;
import tools.jackson.databind.json.JsonMapper;

/**
 * One call of a tool in a test: the call at its client, and the task that its server has stored. AssertJ's
 * {@code assertThat} gives a {@link TaskAssert}. Methods that wait for longer than {@link LonghaulExtension#patience}
 * fail with an {@link AssertionError} that contains the history of the task.
 */
public final class TestTask implements AssertProvider<TaskAssert> {

    private static final int PAGE = 1_000;

    private final TestServer server;
    private final String name;
    private final String tool;
    private final Generation generation;
    private final Questions questions;
    private final RemoteCall<CallOutcome> call;
    private volatile boolean hasTrouble;

    TestTask(
            TestServer server,
            String name,
            String tool,
            Generation generation,
            Questions questions,
            RemoteCall<CallOutcome> call) {
        this.server = server;
        this.name = name;
        this.tool = tool;
        this.generation = generation;
        this.questions = questions;
        this.call = call;
        var unused =
                call.future().whenComplete((outcome, problem) -> server.news().tell());
        call.onUpdate(this::updated);
    }

    private void updated(CallUpdate update) {
        if (update instanceof CallUpdate.Trouble) {
            hasTrouble = true;
            server.news().tell();
        }
    }

    boolean hasTrouble() {
        return hasTrouble;
    }

    void awaitBegin() {
        await(
                "its handler to begin",
                () -> flag(call.future().isDone() || questions.isAsking() || server.hasBegun(name, tool)));
    }

    /** The call at its client. */
    public RemoteCall<CallOutcome> call() {
        return call;
    }

    /** The id of the task at the server; empty for a quick tool. */
    public Optional<TaskId> id() {
        return server.taskOf(name);
    }

    /** The stored task; empty where there is none, as for a quick tool. */
    public Optional<Task> stored() {
        return id().flatMap(server.kept()::find);
    }

    /** The stored events of the task, oldest first. */
    public List<TaskEvent> history() {
        var all = new ArrayList<TaskEvent>();
        id().ifPresent(task -> {
            var page = server.kept().history(task, 0, PAGE);
            while (!page.isEmpty()) {
                all.addAll(page);
                page = server.kept().history(task, page.getLast().seq(), PAGE);
            }
        });
        return all;
    }

    /**
     * Waits for a question to the client, and answers it; returns when the answer is stored.
     *
     * @param question the key of the question, or a part of its words that no other open question has
     * @param content  the content of a form, or the result of a model: a record, a {@link java.util.Map} or a JSON
     *                 object; an empty map for a link
     * @throws AssertionError where several open questions match, or the content does not fit the form; then no question
     *                        is answered
     */
    public void answer(String question, Object content) {
        var json = content instanceof Json raw
                ? raw
                : JsonTree.write(JsonMapper.shared().valueToTree(content));
        var asked = asked(question);
        asked.problem(json).ifPresent(problem -> {
            throw failure("The answer to \"" + question + "\" does not fit what was asked: " + problem);
        });
        answer(question, asked, new Answer.Given(json));
    }

    /** As {@link #answer}, for a person who agrees to a question without fields. */
    public void approve(String question) {
        answer(question, Json.EMPTY_OBJECT);
    }

    /** As {@link #answer}, for a person who declines. */
    public void decline(String question) {
        answer(question, asked(question), new Answer.Refused(new Reply.Declined()));
    }

    /** As {@link #answer}, for a person who closes the question without a choice. */
    public void dismiss(String question) {
        answer(question, asked(question), new Answer.Refused(new Reply.Dismissed()));
    }

    private Question asked(String question) {
        return await("its client to be asked \"" + question + "\"", () -> {
            var fits = naming(question);
            var open = questions.open(fits);
            // A client may get the questions one by one while its task waits for several answers.
            long fitting = Math.max(
                    open.size(),
                    outstanding().filter(input -> fits.test(words(input))).count());
            if (fitting > 1) {
                throw failure("\"" + question + "\" fits " + fitting
                        + " open questions: name one by a key, or by words, that no other has.");
            }
            return open.stream().findFirst();
        });
    }

    /**
     * Matches the words of the question with this key; where there is no such question, all words that contain this
     * text.
     */
    private Predicate<String> naming(String question) {
        return outstanding(question)
                .<Predicate<String>>map(keyed -> words(keyed)::equals)
                .orElse(words -> words.contains(question));
    }

    private void answer(String question, Question asked, Answer answer) {
        var key = outstanding()
                .filter(input -> words(input).equals(asked.message()))
                .map(InputRequest::key)
                .findFirst();
        asked.answer().complete(answer);
        key.ifPresent(of -> await(
                "the answer to \"" + question + "\" to be stored",
                () -> flag(outstanding(of).isEmpty())));
    }

    private Optional<InputRequest> outstanding(String key) {
        return outstanding().filter(input -> input.key().equals(key)).findFirst();
    }

    private Stream<InputRequest> outstanding() {
        return stored().stream().flatMap(task -> task.outstanding().stream());
    }

    /** The words of a question. */
    static String words(InputRequest input) {
        return Questions.message(JsonTree.read(Json.raw(input.params().bytes())));
    }

    private Map<String, String> words() {
        return stored().stream()
                .flatMap(task -> task.status().inputs().stream())
                .collect(Collectors.toMap(InputRequest::key, TestTask::words));
    }

    /** Whether the task or its client was asked this question, by key or words. */
    boolean hasAsked(String question) {
        return questions.hasSeen(question)
                || stored().stream()
                        .flatMap(task -> task.status().inputs().stream())
                        .anyMatch(input ->
                                input.key().equals(question) || words(input).contains(question));
    }

    /** Cancels the call at its client, and waits until the client knows the outcome. */
    public void cancel() {
        call.cancel();
        outcome();
    }

    /** Waits for the end of the call at its client, and gives the outcome. */
    public CallOutcome outcome() {
        return await("the call to end", this::ended);
    }

    Optional<CallOutcome> ended() {
        return Optional.ofNullable(call.future().getNow(null));
    }

    private <T> T await(String what, Supplier<Optional<T>> look) {
        return await(look).orElseThrow(() -> late(what));
    }

    /** Calls {@code look} until it gives a value; empty where that takes too long. */
    <T> Optional<T> await(Supplier<Optional<T>> look) {
        return server.news().await(look);
    }

    private static Optional<Boolean> flag(boolean is) {
        return is ? Optional.of(true) : Optional.empty();
    }

    /** A failed assertion with the state of the task; its cause is what the handler has thrown. */
    AssertionError failure(String what) {
        return new AssertionError(what + "\n" + this, server.thrown(name));
    }

    AssertionError late(String what) {
        var patience = server.news().patience();
        return failure("Expected " + what + ", and waited for it for " + patience.toMillis() + " ms of real time.");
    }

    @Override
    public TaskAssert assertThat() {
        return new TaskAssert(this);
    }

    /** The state of the call and the history of its task, in lines. */
    @Override
    public String toString() {
        var told = ended().map(Object::toString).orElse("goes on");
        var state = stored().map(task -> ", stored as " + task.state()).orElse("");
        return "Call of '%s' by a client of %s: %s%s\n%s"
                .formatted(tool, generation, told, state, History.lines(history(), words()));
    }
}

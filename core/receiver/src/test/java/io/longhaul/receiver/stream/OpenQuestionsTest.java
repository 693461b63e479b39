// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage.Request;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.EventId.Kind;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.OpenQuestions.Places;
import io.longhaul.store.contract.TaskFixtures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a question goes on a stream of its session, and when it is taken back. */
class OpenQuestionsTest {

    private static final String VERSION = "2025-11-25";
    private static final Payload FORM =
            Payload.ofText("{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}");

    private static final Payload AT_ADDRESS = Payload.ofText(
            "{\"mode\":\"url\",\"message\":\"Pay\",\"url\":\"https://shop.example/\",\"elicitationId\":\"e1\"}");

    private static final Request REQUEST = new Request(new RequestId.Number(1), "elicitation/create", Json.raw("{}"));

    private final ReceiverParts parts = new ReceiverParts();
    private final Task asked =
            TaskFixtures.question(TaskFixtures.task(1), "k", FORM).after();
    private final Task atAddress =
            TaskFixtures.question(TaskFixtures.task(1), "k", AT_ADDRESS).after();
    private final Session session = ReceiverParts.askable(VERSION);
    private final OpenQuestions questions = new OpenQuestions(
            context(), session, asked.id(), Planner.manner(parts.dialects.ofSession(VERSION)), () -> {});
    private Runnable afterRead = () -> {};

    @BeforeEach
    void start() {
        parts.time.set(TaskFixtures.NOW);
    }

    @AfterEach
    void close() {
        parts.close();
    }

    /** A context whose engine has the one task, and whose clock may go on right after it is read. */
    private Context context() {
        return parts.with(Map.of("find", arguments -> Optional.of(asked), "time", arguments -> clock()));
    }

    private TaskTime clock() {
        return new TaskTime() {
            @Override
            public Instant now() {
                var now = parts.time.now();
                afterRead.run();
                return now;
            }

            @Override
            public Alarm at(Instant when, Runnable action) {
                return parts.time.at(when, action);
            }
        };
    }

    private record Open(MessageStream stream, RecordedStream connection) {
        List<String> told() {
            stream.flush();
            return connection.messages();
        }
    }

    /** A stream that is open. */
    private Open open(int number) {
        var start = EventId.start(Kind.SESSION, session, String.format("%024d", number), Mark.NONE, null);
        var stream = new MessageStream(start, SessionStreams.SESSION_BYTES, false);
        var connection = new RecordedStream();
        stream.attach(connection, 0);
        return new Open(stream, connection);
    }

    private static Places on(Open open) {
        return new Places(List.of(), open.stream(), true, () -> "t");
    }

    @Test
    void a_question_waits_for_a_poll_and_goes_out_then() {
        var open = open(1);
        questions.put(asked, on(open));
        assertThat(open.told()).isEmpty();
        parts.time.advance(Duration.ofSeconds(1));
        questions.put(asked, on(open));
        questions.put(asked, on(open));
        assertThat(open.told()).singleElement().asString().contains("elicitation/create");
    }

    @Test
    void a_question_whose_hold_is_over_while_it_is_counted_goes_out_at_once() {
        var open = open(1);
        afterRead = () -> {
            afterRead = () -> {};
            parts.time.advance(Duration.ofSeconds(2));
        };
        questions.put(asked, on(open));
        assertThat(open.told()).singleElement().asString().contains("elicitation/create");
    }

    @Test
    void a_question_that_was_asked_before_the_clock_was_set_back_waits_as_long_for_a_poll() {
        parts.time.jump(Duration.ofDays(-1));
        var open = open(1);
        questions.put(asked, on(open));
        parts.time.advance(Duration.ofSeconds(2));
        questions.put(asked, on(open));
        assertThat(open.told()).singleElement().asString().contains("elicitation/create");
    }

    @Test
    void a_look_repeats_a_question_that_it_brought_before_the_clock_was_set_back_and_then_after_a_minute() {
        var nowhere = new Places(List.of(), null, false, () -> "t");
        assertThat(looksAt(nowhere)).hasSize(1);
        parts.time.jump(Duration.ofDays(-1));
        assertThat(looksAt(nowhere)).hasSize(1);
        parts.time.advance(Duration.ofSeconds(59));
        assertThat(looksAt(nowhere)).isEmpty();
        parts.time.advance(Duration.ofSeconds(1));
        assertThat(looksAt(nowhere)).hasSize(1);
    }

    private Map<String, Request> looksAt(Places places) {
        return questions.onLook(asked, List.of(), places, (key, question) -> REQUEST);
    }

    @Test
    void a_look_brings_a_question_whose_connection_goes_while_the_question_is_written() {
        var open = open(1);
        parts.time.advance(Duration.ofSeconds(2));
        questions.put(asked, on(open));
        var brought = new ArrayList<String>();
        open.connection().whileWriting = () -> {
            open.stream().detach(open.connection());
            brought.addAll(questions
                    .onLook(asked, List.of(), on(open), (key, question) -> REQUEST)
                    .keySet());
        };
        open.stream().flush();
        assertThat(brought).containsExactly("k");
    }

    @Test
    void a_question_that_a_look_has_brought_goes_on_a_stream_when_its_answer_was_no_good() {
        var nowhere = new Places(List.of(), null, false, () -> "t");
        assertThat(questions.onLook(asked, List.of(), nowhere, (key, question) -> REQUEST))
                .hasSize(1);
        questions.release("k");
        assertThat(questions.isAny()).isTrue();
        parts.time.advance(Duration.ofSeconds(2));
        var open = open(1);
        questions.put(asked, new Places(List.of(), open.stream(), false, () -> "t"));
        assertThat(open.told()).singleElement().asString().contains("elicitation/create");
    }

    @Test
    void a_client_that_has_read_a_question_at_an_address_is_told_when_it_is_done_with() {
        questions.onLook(atAddress, List.of(), new Places(List.of(), null, false, () -> "t"), (key, question) -> {
            assertThat(session.urlElicitations().contains("e1")).isFalse();
            return REQUEST;
        });
        assertThat(session.urlElicitations().contains("e1")).isTrue();
    }

    @Test
    void a_question_of_a_task_that_ended_without_a_stream_is_withdrawn_on_the_next_one_once() {
        var open = open(1);
        parts.time.advance(Duration.ofSeconds(2));
        questions.put(asked, on(open));
        assertThat(open.told()).hasSize(1);
        var ended = TaskFixtures.end(asked, new Outcome.Cancelled(null), TaskFixtures.NOW, true)
                .after();
        assertThat(questions.withdrawn(ended, "t"))
                .singleElement()
                .satisfies(message -> assertThat(message.message().toString()).contains("notifications/cancelled"));
        assertThat(questions.withdrawn(ended, "t")).isEmpty();
    }
}

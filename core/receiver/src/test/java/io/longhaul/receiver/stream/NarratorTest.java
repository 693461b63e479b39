// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.stream.Narrator.Audience;
import io.longhaul.receiver.task.Voice;
import io.longhaul.store.contract.TaskFixtures;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What an audience is told of an event: a table, without a thread. */
class NarratorTest {

    private static final Json TOKEN = Json.raw("\"p\"");
    private static final Task TASK = TaskFixtures.task(1);
    private static final Task CANCELLED = TaskFixtures.end(TASK, new Outcome.Cancelled(null), TaskFixtures.NOW, true)
            .after();
    private static final EventDetail STEP = new EventDetail.Progressed(new Progress(1, 3.0, "loaded"));
    private static final EventDetail PIECE = new EventDetail.Emitted(Payload.ofText("piece"));

    private static EventDetail log(String level) {
        return new EventDetail.Logged(level, "db", Payload.ofText("\"line\""));
    }

    private static TaskEvent event(int seq, EventDetail what) {
        return new TaskEvent(seq, TaskFixtures.NOW, what);
    }

    private static Narrator narrator(@Nullable Json token, @Nullable String level, @Nullable Voice joined) {
        return new Narrator(new Audience("t", () -> token, () -> level, task -> joined), 1, seq -> seq);
    }

    /** A notice in a few words. */
    private static String words(Notice notice) {
        return switch (notice) {
            case Notice.Progress progress ->
                "progress of " + progress.taskId() + " under " + progress.token() + ": "
                        + progress.progress().current() + ", "
                        + progress.progress().message();
            case Notice.Log log -> log.level() + " of " + log.taskId() + " by " + log.logger() + ": " + log.data();
            default -> notice.toString();
        };
    }

    static Stream<Arguments> table() {
        return Stream.of(
                Arguments.of(STEP, TOKEN, "info", "progress of t under \"p\": 1.0, loaded"),
                Arguments.of(STEP, null, "info", ""),
                Arguments.of(log("info"), null, "info", "info of t by db: \"line\""),
                Arguments.of(log("error"), null, "info", "error of t by db: \"line\""),
                Arguments.of(log("debug"), TOKEN, "info", ""),
                Arguments.of(log("error"), TOKEN, null, ""),
                Arguments.of(PIECE, TOKEN, "debug", ""),
                Arguments.of(new EventDetail.Created(), TOKEN, "debug", ""),
                Arguments.of(new EventDetail.Started(1), TOKEN, "debug", ""),
                Arguments.of(new EventDetail.Asked("k"), TOKEN, "debug", ""),
                Arguments.of(new EventDetail.Answered("k"), TOKEN, "debug", ""),
                Arguments.of(new EventDetail.WorkEnded(), TOKEN, "debug", ""));
    }

    @ParameterizedTest
    @MethodSource("table")
    void an_audience_is_told_of_an_event_what_it_has_asked_for(
            EventDetail what, @Nullable Json token, @Nullable String level, String told) {
        var notice = narrator(token, level, null).event(TASK, event(2, what));
        assertThat(notice.map(NarratorTest::words).orElse("")).isEqualTo(told);
    }

    @Test
    void a_hundred_log_lines_are_told_at_once_and_then_twenty_in_a_second() {
        var narrator = narrator(null, "info", null);
        assertThat(toldLines(narrator, TaskFixtures.NOW)).isEqualTo(100);
        assertThat(toldLines(narrator, TaskFixtures.NOW.plusSeconds(1))).isEqualTo(20);
    }

    private static long toldLines(Narrator narrator, Instant at) {
        return IntStream.range(0, 500)
                .filter(line -> narrator.event(TASK, new TaskEvent(line + 2L, at, log("info")))
                        .isPresent())
                .count();
    }

    /** Is told the progress, and whether there is output. */
    private static final class Member implements Voice {
        @Override
        public String dialect() {
            return "tools/async";
        }

        @Override
        public Optional<Notice.Progress> progress(ProgressView now, String task, boolean news, ResourceUris where) {
            return Optional.of(new Notice.Progress(Json.raw(news ? "\"news\"" : "\"none\""), now, task, where));
        }

        @Override
        public List<Notice.CallCancelled> cancelled(Task task) {
            return List.of(new Notice.CallCancelled(new RequestId.Number(7), "cancelled"));
        }
    }

    @Test
    void a_member_is_told_of_pieces_of_output_that_came_together_once() {
        var narrator = narrator(null, null, new Member());
        assertThat(narrator.event(TASK, event(2, PIECE))).isEmpty();
        assertThat(narrator.event(TASK, event(3, PIECE))).isEmpty();
        assertThat(narrator.caughtUp(TASK).map(NarratorTest::words))
                .contains("progress of t under \"news\": 3.0, null");
        assertThat(narrator.caughtUp(TASK)).isEmpty();
    }

    @Test
    void a_member_is_told_with_the_next_step_that_there_is_output() {
        var narrator = narrator(null, null, new Member());
        narrator.event(TASK, event(2, PIECE));
        assertThat(narrator.event(TASK, event(3, STEP)).map(NarratorTest::words))
                .contains("progress of t under \"news\": 1.0, loaded");
        assertThat(narrator.caughtUp(TASK)).isEmpty();
        assertThat(narrator.event(TASK, event(4, STEP)).map(NarratorTest::words))
                .contains("progress of t under \"none\": 1.0, loaded");
    }

    @Test
    void a_piece_that_another_audience_is_told_of_counts_and_is_no_news() {
        var narrator = narrator(null, null, new Member());
        narrator.pass(event(2, PIECE));
        assertThat(narrator.caughtUp(TASK)).isEmpty();
        narrator.event(TASK, event(3, PIECE));
        assertThat(narrator.caughtUp(TASK).map(NarratorTest::words))
                .contains("progress of t under \"news\": 3.0, null");
    }

    @Test
    void of_output_nobody_is_told_after_the_end() {
        var narrator = narrator(null, null, new Member());
        narrator.event(TASK, event(2, PIECE));
        assertThat(narrator.caughtUp(CANCELLED)).isEmpty();
    }

    @Test
    void a_member_is_told_of_the_cancellation_and_nobody_else_is() {
        assertThat(narrator(TOKEN, "info", new Member()).cancelled(CANCELLED)).hasSize(1);
        assertThat(narrator(TOKEN, "info", new Member()).cancelled(TASK)).isEmpty();
        assertThat(narrator(TOKEN, "info", null).cancelled(CANCELLED)).isEmpty();
    }

    @Test
    void a_session_that_joins_a_task_without_progress_is_told_nothing_of_how_far_it_is() {
        var after = TaskFixtures.progress(TASK, 2).after();
        assertThat(narrator(null, null, new Member()).soFar(TASK)).isEmpty();
        assertThat(narrator(null, null, new Member()).soFar(after).map(NarratorTest::words))
                .contains("progress of t under \"none\": 2.0, at 2.0");
    }
}

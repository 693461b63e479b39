// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.resume;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.call.TaskView.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Parts of a result in words for a model. */
class PartTextsTest {

    @Test
    void a_text_stands_as_it_is_and_all_else_as_json() {
        var output = List.of(Payload.ofText("\"a \\\"text\\\"\""), Payload.ofText("{\"a\":1}"));
        assertThat(PartTexts.pieces(output, false))
                .hasToString("{\"content\":[{\"type\":\"text\",\"text\":\"a \\\"text\\\"\"},"
                        + "{\"type\":\"text\",\"text\":\"{\\\"a\\\":1}\"}]}");
    }

    @Test
    void the_first_part_says_that_more_is_to_come() {
        assertThat(PartTexts.pieces(List.of(), true).toString()).contains("This is the first part of the output");
        assertThat(PartTexts.pieces(List.of(), false)).hasToString("{\"content\":[]}");
    }

    static Stream<Arguments> standings() {
        var some = new ProgressView(3, null, null);
        var half = new ProgressView(2.5, 10.0, null);
        var loaded = new ProgressView(3, 4.0, "loaded");
        return Stream.of(
                Arguments.of(State.SUBMITTED, null, null, "The work waits for its turn"),
                Arguments.of(State.INPUT_REQUIRED, null, null, "The work waits for an answer to a question"),
                Arguments.of(State.WORKING, null, null, "The work goes on"),
                Arguments.of(State.WORKING, null, "sorting", "The work goes on: sorting"),
                Arguments.of(State.WORKING, some, null, "The work goes on, 3 done so far"),
                Arguments.of(State.WORKING, half, null, "The work goes on, 2.5 of 10 so far"),
                Arguments.of(State.WORKING, loaded, "loaded", "The work goes on, 3 of 4 so far (loaded)"),
                Arguments.of(State.WORKING, loaded, "sorting", "The work goes on, 3 of 4 so far (loaded): sorting"));
    }

    @ParameterizedTest
    @MethodSource("standings")
    void where_there_is_no_output_the_model_is_told_how_the_work_stands(
            State state, @Nullable ProgressView progress, @Nullable String message, String words) {
        assertThat(PartTexts.nothing(view(new Status(state, message, progress)), false))
                .hasToString(text(words + ". There is no new output yet."));
    }

    @Test
    void the_first_answer_without_output_says_that_the_work_has_begun() {
        assertThat(PartTexts.nothing(view(new Status(State.WORKING, null, null)), true))
                .hasToString(text("The work has begun and goes on. There is no output yet."));
    }

    private static TaskView view(Status status) {
        return new TaskView("id", status, TaskView.Times.UNTOLD, Duration.ZERO, Map.of(), null);
    }

    private static String text(String words) {
        return "{\"content\":[{\"type\":\"text\",\"text\":\"" + words + "\"}]}";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.failure.v1.ActivityFailureInfo;
import io.temporal.api.failure.v1.ApplicationFailureInfo;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.failure.v1.TimeoutFailureInfo;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.WorkflowExecutionCompletedEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionFailedEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionTimedOutEventAttributes;
import org.junit.jupiter.api.Test;

class StateReaderTest {

    private static WorkflowState read(HistoryEvent event) {
        try {
            return StateReader.of(event, WorkflowCodec.NONE);
        } catch (WorkflowCodec.CodecException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static WorkflowState failed(Failure failure, String next) {
        return read(HistoryEvent.newBuilder()
                .setWorkflowExecutionFailedEventAttributes(WorkflowExecutionFailedEventAttributes.newBuilder()
                        .setFailure(failure)
                        .setNewExecutionRunId(next))
                .build());
    }

    private static WorkflowState completed(String encoding, String data) {
        var payload = Payload.newBuilder()
                .putMetadata("encoding", ByteString.copyFromUtf8(encoding))
                .setData(ByteString.copyFromUtf8(data));
        return read(HistoryEvent.newBuilder()
                .setWorkflowExecutionCompletedEventAttributes(WorkflowExecutionCompletedEventAttributes.newBuilder()
                        .setResult(Payloads.newBuilder().addPayloads(payload)))
                .build());
    }

    private static Failure said(String message) {
        return Failure.newBuilder()
                .setMessage(message)
                .setStackTrace("at com.example.Secret")
                .setApplicationFailureInfo(ApplicationFailureInfo.newBuilder().setType("Empty"))
                .build();
    }

    private static Failure ofActivity(Failure cause) {
        return Failure.newBuilder()
                .setMessage("Activity task failed")
                .setActivityFailureInfo(ActivityFailureInfo.newBuilder().setIdentity("1@host"))
                .setCause(cause)
                .build();
    }

    @Test
    void a_failure_is_what_the_code_has_said_also_that_of_an_activity() {
        assertThat(failed(said("no rows"), "")).isEqualTo(new WorkflowState.Failed("no rows", true));
        assertThat(failed(ofActivity(said("no rows")), "")).isEqualTo(new WorkflowState.Failed("no rows", true));
    }

    @Test
    void a_failure_that_no_code_has_said_is_told_in_the_words_of_temporal() {
        var late = Failure.newBuilder()
                .setMessage("activity ScheduleToStart timeout")
                .setTimeoutFailureInfo(TimeoutFailureInfo.getDefaultInstance())
                .build();
        assertThat(failed(ofActivity(late), "")).isEqualTo(new WorkflowState.Failed("Activity task failed", true));
        assertThat(failed(Failure.getDefaultInstance(), ""))
                .isEqualTo(new WorkflowState.Failed("The workflow has failed.", true));
    }

    @Test
    void a_long_message_is_cut() {
        assertThat(failed(said("x".repeat(2_000)), "")).isEqualTo(new WorkflowState.Failed("x".repeat(2_000), true));
        assertThat(failed(said("x".repeat(2_001)), ""))
                .isEqualTo(new WorkflowState.Failed("x".repeat(2_000) + "...", true));
        assertThat(failed(said("x".repeat(1_999) + "\uD83D\uDE00"), ""))
                .isEqualTo(new WorkflowState.Failed("x".repeat(1_999) + "...", true));
    }

    @Test
    void a_run_that_is_retried_goes_on_as_the_next_one() {
        assertThat(failed(said("no rows"), "run-2")).isEqualTo(new WorkflowState.Continued("run-2"));
    }

    @Test
    void a_workflow_that_was_too_long_says_so() {
        var late = HistoryEvent.newBuilder()
                .setWorkflowExecutionTimedOutEventAttributes(
                        WorkflowExecutionTimedOutEventAttributes.getDefaultInstance())
                .build();
        assertThat(read(late))
                .isEqualTo(new WorkflowState.Failed(
                        "The workflow has run longer than Temporal was told to let it.", true));
    }

    @Test
    void a_result_that_cannot_be_read_is_no_result() {
        assertThat(completed("binary/encrypted", "secret"))
                .isInstanceOfSatisfying(
                        WorkflowState.Failed.class,
                        failed -> assertThat(failed.why())
                                .contains("'binary/encrypted'")
                                .doesNotContain("secret"));
        assertThat(completed("json/plain", "{")).isInstanceOf(WorkflowState.Failed.class);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.CallOptions;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision.Capability;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a test sees of a tool that works. */
class ToolsInTestsTest {

    private static final Map<String, String> VERSION = Map.of("version", "1.4");

    @RegisterExtension
    final LonghaulExtension longhaul = LonghaulExtension.serving(
            (server, clock) -> new Rollout(clock).tools().forEach(server::tool));

    @EveryGeneration(that = Capability.ELICITATION)
    void a_question_is_answered_by_the_client_and_the_result_comes_back(TestClient client) {
        var task = client.call("rollout", VERSION);
        assertThat(task).asked("Release 1.4?").isWaitingForAnswers().reportedProgress(1, 2, "built");
        task.answer("Release 1.4?", new Rollout.Approval(true));
        assertThat(task).completedWith("1.4-1 is released").didStep("build").hasStarted(1);
    }

    @EveryGeneration(that = Capability.ELICITATION)
    void a_question_is_named_by_its_key_or_by_its_words(TestClient client) {
        var task = client.call("gate", Map.of());
        assertThat(task).asked("release").asked("Is it tested?").hasNotAsked("roll back");
        task.answer("test", new Rollout.Approval(true));
        assertThat(task).isWaitingForAnswers();
        task.decline("release");
        assertThat(task).completedWith("[ACCEPT, DECLINE]");
    }

    @EveryGeneration(that = Capability.ELICITATION)
    void a_question_that_is_named_by_its_key_is_that_one_alone(TestClient client) {
        var task = client.call("alike", Map.of());
        assertThat(task).asked("report");
        task.answer("b", new Rollout.Approval(true));
        task.decline("report");
        assertThat(task.stored().orElseThrow().outstanding())
                .extracting(InputRequest::key)
                .containsExactly("first", "second");
    }

    @EveryGeneration(that = Capability.ELICITATION)
    void questions_that_cannot_be_told_apart_are_not_answered(TestClient client) {
        var task = client.call("alike", Map.of());
        assertThat(task).asked("second");
        for (var name : List.of("Publish", "sure", "first")) {
            assertThatThrownBy(() -> task.decline(name))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageStartingWith("\"" + name + "\" fits 2 open questions: name one by a key, or by words");
        }
        assertThat(task.stored().orElseThrow().outstanding()).hasSize(4);
    }

    @EveryGeneration(that = Capability.ELICITATION)
    void a_question_may_come_before_there_is_a_task(TestClient client) {
        var task = client.call("signed", Map.of());
        assertThat(task).asked("Who signs?");
        task.answer("Who signs?", new Rollout.Approval(true));
        assertThat(task).completedWith("ACCEPT by the first");
    }

    @EveryGeneration
    void a_call_that_is_made_again_meets_the_task_of_the_first(TestClient client) {
        var keyed = CallOptions.DEFAULT.withCreationKey("release-1.4");
        var task = client.call("staged", Map.of(), keyed);
        var again = client.call("staged", Map.of(), keyed);
        assertThat(again.id()).isEqualTo(task.id());
        assertThat(again).isWorking().hasStarted(1);
    }

    @EveryGeneration(that = Capability.ELICITATION)
    void a_person_may_decline_or_close_a_question(TestClient client) {
        var declined = client.call("rollout", VERSION);
        declined.decline("Release");
        assertThat(declined).failedWith("nobody wants 1.4");
        var dismissed = client.call("rollout", VERSION);
        dismissed.dismiss("Release");
        assertThat(dismissed).failedWith("nobody wants 1.4");
    }

    @EveryGeneration
    void time_passes_when_the_test_says_so(TestClient client, TestClock clock) {
        var begin = clock.instant();
        var task = client.call("staged", Map.of());
        assertThat(task).gavePartialOutput("first half").isWorking();
        clock.advanceWhenAwaited(Rollout.STAGE);
        assertThat(task)
                .said("second half")
                .completedWith(Map.of("at", begin.plus(Rollout.STAGE).toString()));
    }

    @EveryGeneration
    void the_failure_of_a_tool_comes_back(TestClient client) {
        assertThat(client.call("broken", Map.of()))
                .failedWith("the disk is full")
                .logged("the disk is old");
    }

    @EveryGeneration
    void a_quick_tool_has_no_task(TestClient client) {
        var task = client.call("quick", Map.of());
        assertThat(task).completedWith("at once");
        assertThat(task.stored()).isEmpty();
    }

    @EveryGeneration
    void a_client_cancels(TestClient client) {
        var task = client.call("staged", Map.of());
        task.cancel();
        assertThat(task).wasCancelled();
    }

    @EveryGeneration
    void a_task_that_takes_too_long_fails_and_the_next_one_begins(TestClient client, TestClock clock) {
        var first = client.call("single", Map.of());
        var second = client.call("single", Map.of());
        assertThat(first).isWorking();
        assertThat(second).isSubmitted();
        clock.advance(Duration.ofMinutes(1));
        assertThat(first).failedBecause(FailureReason.TIMED_OUT).failedWith("limit of 60 s");
        assertThat(second).isWorking();
    }

    @EveryGeneration
    void each_client_is_of_the_generation_that_the_run_is_named_after(TestClient client, Generation generation) {
        assertThat(client.generation()).isEqualTo(generation);
        assertThat(client.connect().server().generation()).isEqualTo(generation);
    }

    @Test
    void a_client_of_no_said_generation_speaks_the_newest(TestClient client, TestServer server) {
        assertThat(client.connect().tools()).extracting(tool -> tool.name()).contains("rollout");
        assertThat(client.generation()).isEqualTo(server.client().generation());
    }

    @Test
    void tasks_belong_to_the_user_of_their_client(TestClient client, TestServer server) {
        var task = client.as("ann").call("staged", Map.of()).stored().orElseThrow();
        assertThat(server.mcp().tasks(task.owner()).find(task.id())).isPresent();
        var other = client.as("bob").call("staged", Map.of()).stored().orElseThrow();
        assertThat(server.mcp().tasks(other.owner()).find(task.id())).isEmpty();
    }
}

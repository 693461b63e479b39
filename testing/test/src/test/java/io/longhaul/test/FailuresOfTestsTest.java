// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.Tool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is read where a test of a tool fails. */
class FailuresOfTestsTest {

    private static final Duration SUSPENSION = Duration.ofMinutes(7);

    @RegisterExtension
    final LonghaulExtension longhaul = LonghaulExtension.serving(
                    (server, clock) -> new Rollout(clock).tools().forEach(server::tool))
            .patience(Duration.ofSeconds(3));

    @Test
    void a_wait_that_is_too_long_tells_what_was_expected_and_what_has_happened(TestClient client, TestClock clock) {
        var task = client.call("rollout", Map.of("version", "1.4"));
        assertThat(task).asked("Release 1.4?");
        clock.advance(Duration.ofMinutes(90));
        assertThatThrownBy(() -> assertThat(task).asked("Roll back?"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith(
                        "Expected \"Roll back?\" to be asked, and waited for it for 3000 ms of real time.\n"
                                + "Call of 'rollout' by a client of " + client.generation()
                                + ": goes on, stored as INPUT_REQUIRED\n  +0s created\n  +0s started, attempt 1\n")
                .hasMessageContaining("+0s progress 1.0 of 2.0 \"built\"\n  +0s step \"build\" done: \"1.4-1\"\n")
                .hasMessageEndingWith("  +0s asked \"q1\" Release 1.4?");
    }

    @Test
    void what_cannot_come_any_more_fails_at_once(TestClient client) {
        var task = client.call("broken", Map.of());
        assertThat(task).failedWith("full");
        assertThatThrownBy(() -> assertThat(task).reportedProgress(1))
                .hasMessageStartingWith("Expected progress 1.0, and the call has ended.\nCall of 'broken'")
                .hasMessageContaining("log warning \"the disk is old\"")
                .hasMessageContaining("ended: error of the tool ");
    }

    @Test
    void another_result_is_shown_beside_the_expected_one(TestClient client) {
        var task = client.call("quick", Map.of());
        assertThatThrownBy(() -> assertThat(task).completedWith("later"))
                .hasMessageStartingWith("Expected the result\n  later\nbut it is\n  at once\n")
                .hasMessageEndingWith("nothing was stored");
        assertThatThrownBy(() -> assertThat(task).completedWith(new Rollout.Order("1.4")))
                .hasMessageContaining("cannot be read as Order");
        assertThatThrownBy(() -> assertThat(task).failedWith("anything"))
                .hasMessageStartingWith("Expected a failure with \"anything\".");
    }

    @Test
    void another_failure_is_told(TestClient client) {
        var task = client.call("broken", Map.of());
        assertThatThrownBy(() -> assertThat(task).failedWith("empty"))
                .hasMessageStartingWith(
                        "Expected a failure with \"empty\", but the client was told \"the disk is full\".");
        assertThatThrownBy(() -> assertThat(task).completed()).hasMessageStartingWith("Expected a result.");
        assertThatThrownBy(() -> assertThat(task).wasCancelled()).hasMessageContaining("the call to be cancelled");
    }

    @Test
    void what_a_handler_has_thrown_is_the_cause_of_the_failure(TestClient client, TestServer server) {
        for (Tool tool : List.of(
                Tool.define("quick-leak").handler((none, call) -> leak()),
                Tool.define("long-leak").longRunning().handler((none, task) -> leak()))) {
            server.mcp().addTool(tool);
            var task = client.call(tool.name(), Map.of());
            assertThatThrownBy(() -> assertThat(task).completed())
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the reason in my code");
        }
    }

    @Test
    void the_suspension_of_a_task_is_no_cause_of_a_failure(TestClient client, TestServer server, TestClock clock) {
        server.mcp()
                .addTool(Tool.define("suspended")
                        .longRunning(
                                options -> options.onCrash(CrashPolicy.RESTART).suspendAfter(SUSPENSION))
                        .handler((none, task) -> task.elicit("Go on?", Rollout.Approval.class)
                                .action()
                                .name()));
        var task = client.call("suspended", Map.of());
        assertThat(task).asked("Go on?");
        clock.advanceWhenAwaited(SUSPENSION);
        assertThatThrownBy(() -> assertThat(task).reportedProgress(1)).hasNoCause();
    }

    private static String leak() {
        throw new IllegalStateException("the reason in my code");
    }

    @Test
    void an_answer_that_does_not_fit_is_not_given(TestClient client) {
        var task = client.call("rollout", Map.of("version", "1.4"));
        assertThatThrownBy(() -> task.answer("Release", Map.of("approved", "perhaps")))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("The answer to \"Release\" does not fit what was asked: ")
                .hasMessageContaining("approved");
        assertThat(task).isWaitingForAnswers();
        assertThatThrownBy(() -> task.answer("Roll back?", Map.of()))
                .hasMessageStartingWith("Expected its client to be asked \"Roll back?\"");
    }

    @Test
    void a_question_that_should_not_be_asked_is_told(TestClient client) {
        var task = client.call("rollout", Map.of("version", "1.4"));
        assertThat(task).hasNotAsked("Roll back?").asked("Release");
        assertThatThrownBy(() -> assertThat(task).hasNotAsked("Release"))
                .hasMessageStartingWith("Expected \"Release\" not to be asked.");
    }
}

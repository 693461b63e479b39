// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.terminal.StatusLine;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.cli.text.JsonText;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.ServerAddress;
import io.longhaul.client.TaskReference;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FollowedCallTest {
    private static final TaskReference REFERENCE = new TaskReference(
            new ServerAddress.Http(URI.create("http://127.0.0.1:1/mcp")), Generation.values()[0], "abc");
    private static final CallOutcome DONE =
            new CallOutcome.ToolResult(Json.raw("{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}"));
    private static final CallUpdate HALF = new CallUpdate.Status(State.WORKING, new ProgressView(1, 2.0, "half"), null);

    private final ScriptedCall call = new ScriptedCall();

    @Test
    void progress_warnings_and_the_result_are_shown() throws Exception {
        var user = follow(TestTerminal.silent());
        call.tell(HALF);
        call.tell(new CallUpdate.Trouble("the server is away\u0007"));
        call.outcome.complete(DONE);
        assertThat(user.exitCode()).isZero();
        assertThat(user.terminal.out()).isEqualTo("done\n");
        assertThat(user.terminal.err())
                .contains("longhaul: --ttl is not possible here\n")
                .contains("50% half\n")
                .contains("longhaul: the server is away\\u0007 (still trying)\n");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_call_whose_server_stays_away_ends_with_the_way_back(boolean isAway) throws Exception {
        var user = follow(TestTerminal.silent());
        if (isAway) {
            call.tell(new CallUpdate.Trouble("the server is away"));
        }
        call.outcome.complete(new CallOutcome.Lost("It was too long. the server is away"));
        assertThat(user.exitCode()).isEqualTo(isAway ? 4 : 3);
        assertThat(user.terminal.err()).endsWith("to look:\n  longhaul attach " + REFERENCE + "\n");
    }

    @Test
    void a_line_of_the_output_that_was_the_last_message_is_printed_once() throws Exception {
        var user = follow(TestTerminal.interactive());
        call.tell(new CallUpdate.Status(State.WORKING, null, "disk full"));
        call.outcome.complete(new CallOutcome.ToolError(
                Json.raw("{\"content\":[{\"type\":\"text\",\"text\":\"one\\ndisk full\\nexit code 3\"}]}")));
        assertThat(user.exitCode()).isEqualTo(1);
        assertThat(user.terminal.out()).isEqualTo("one\ndisk full\nexit code 3\n");
        assertThat(user.terminal.err())
                .contains("disk full")
                .endsWith("the tool failed:\n")
                .satisfies(
                        err -> assertThat(err.substring(err.lastIndexOf('\r'))).doesNotContain("disk full"));
    }

    @Test
    void a_file_gets_each_line_of_partial_output_once() throws Exception {
        var user = follow(TestTerminal.silent());
        call.tell(part("row 1 "));
        call.tell(part("row 2\\nrow 2"));
        call.outcome.complete(result("id\\nrow 1 \\nrow 2\\nrow 2\\nrow 2\\nend"));
        assertThat(user.exitCode()).isZero();
        assertThat(user.terminal.out()).isEqualTo("row 1\nrow 2\nrow 2\nid\nrow 2\nend\n");
    }

    @Test
    void a_result_that_partial_output_is_no_part_of_is_printed_whole() throws Exception {
        var user = follow(TestTerminal.silent());
        call.tell(part("row 1"));
        call.tell(part("row 2"));
        call.outcome.complete(result("row 2\\nrow 1"));
        assertThat(user.exitCode()).isZero();
        assertThat(user.terminal.out()).isEqualTo("row 1\nrow 2\nrow 2\nrow 1\n");
    }

    @Test
    void a_person_at_a_terminal_gets_the_result_whole_after_partial_output() throws Exception {
        var user = follow(TestTerminal.watched());
        call.tell(part("row"));
        call.outcome.complete(result("id\\nrow\\nend"));
        assertThat(user.exitCode()).isZero();
        assertThat(user.terminal.out()).isEqualTo("row\nid\nrow\nend\n");
    }

    private static CallUpdate part(String text) {
        return new CallUpdate.Part(Json.raw(content(text)));
    }

    private static CallOutcome result(String text) {
        return new CallOutcome.ToolResult(Json.raw(content(text)));
    }

    private static String content(String text) {
        return "{\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}]}";
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void why_a_call_failed_is_printed_once(boolean hasProgress) throws Exception {
        var user = follow(TestTerminal.silent());
        if (hasProgress) {
            call.tell(HALF);
        }
        call.tell(new CallUpdate.Status(State.FAILED, null, "the disk is full"));
        call.outcome.complete(new CallOutcome.ProtocolError(new RpcError(-32603, "the disk is full", null)));
        user.exitCode();
        assertThat(user.terminal.err()).containsOnlyOnce("the disk is full");
    }

    @Test
    void ctrl_c_asks_and_leaving_tells_how_to_come_back() throws Exception {
        var user = followTask();
        user.pressCtrlC();
        user.terminal.awaitErr("Cancel the task, leave it running, or go on?");
        user.terminal.type("l");
        assertThat(user.exitCode()).isEqualTo(130);
        assertThat(user.terminal.err()).contains("longhaul attach " + REFERENCE);
        assertThat(call.cancelled).isFalse();
    }

    @Test
    void ctrl_c_can_cancel() throws Exception {
        var user = followTask();
        user.pressCtrlC();
        user.terminal.type("c");
        assertLeftAndCancelled(user);
        assertThat(user.terminal.err()).contains("the call was cancelled");
    }

    @Test
    void going_on_after_ctrl_c_ends_with_the_result() throws Exception {
        var user = followTask();
        call.tell(HALF);
        user.pressCtrlC();
        user.terminal.awaitErr("or go on?");
        user.terminal.type("g");
        call.outcome.complete(DONE);
        assertThat(user.exitCode()).isZero();
    }

    @Test
    void a_second_ctrl_c_leaves_without_a_question() throws Exception {
        var user = followTask();
        user.pressCtrlC();
        user.pressCtrlC();
        assertThat(user.exitCode()).isEqualTo(130);
        assertThat(call.cancelled).isFalse();
    }

    @Test
    void a_call_that_is_no_task_is_cancelled_when_it_is_left() throws Exception {
        var user = follow(TestTerminal.silent());
        user.pressCtrlC();
        assertLeftAndCancelled(user);
    }

    @Test
    void a_second_ctrl_c_cancels_what_is_no_task_and_waits_for_the_server_to_say_so() throws Exception {
        var user = follow(TestTerminal.interactive());
        user.pressCtrlC();
        user.terminal.awaitErr("Ctrl-C cancels");
        user.pressCtrlC();
        assertLeftAndCancelled(user);
        assertThat(user.terminal.err()).contains("Ctrl-C cancels): \n").endsWith("longhaul: the call was cancelled\n");
    }

    @Test
    void one_more_ctrl_c_does_not_wait_for_a_server_that_says_nothing() throws Exception {
        call.deaf = true;
        var user = follow(TestTerminal.interactive());
        user.pressCtrlC();
        user.pressCtrlC();
        user.pressCtrlC();
        assertThat(user.exitCode()).isEqualTo(130);
        assertThat(user.terminal.err()).contains("longhaul: the call was given up\n");
    }

    @Test
    void a_program_that_reads_json_is_told_of_the_task_that_was_left() throws Exception {
        var user = follow(TestTerminal.silent(), true);
        call.tell(new CallUpdate.Created(REFERENCE));
        user.pressCtrlC();
        assertThat(user.exitCode()).isEqualTo(130);
        assertThat(JsonText.read(user.terminal.out()))
                .isEqualTo(JsonText.object()
                        .put("outcome", "left")
                        .put("reason", "The task goes on without this client.")
                        .put("task", REFERENCE.toString()));
    }

    private void assertLeftAndCancelled(User user) throws Exception {
        assertThat(user.exitCode()).isEqualTo(130);
        assertThat(call.cancelled).isTrue();
    }

    private User follow(TestTerminal terminal) {
        return follow(terminal, false);
    }

    private User follow(TestTerminal terminal, boolean json) {
        var status = new StatusLine(terminal.terminal(), () -> Instant.EPOCH);
        var conversation =
                new FollowedCall(UserConsole.with(terminal.terminal(), status), call, new TroubleLines(status::say));
        var following = new FutureTask<>(() -> conversation.follow(new ResultPrinter(terminal.terminal(), json)));
        Thread.ofVirtual().start(following);
        return new User(terminal, conversation, following);
    }

    /** At a terminal that asks, with a call that has become a task. */
    private User followTask() {
        var user = follow(TestTerminal.interactive());
        call.tell(new CallUpdate.Created(REFERENCE));
        return user;
    }

    /** Somebody who follows the call. */
    private record User(TestTerminal terminal, FollowedCall conversation, FutureTask<Integer> following) {
        void pressCtrlC() {
            conversation.interrupted();
        }

        int exitCode() throws Exception {
            return following.get();
        }
    }

    /** A call whose server is the test. */
    private static final class ScriptedCall implements RemoteCall<CallOutcome> {
        final CompletableFuture<CallOutcome> outcome = new CompletableFuture<>();
        private final CompletableFuture<Consumer<CallUpdate>> listener = new CompletableFuture<>();
        volatile boolean cancelled;
        volatile boolean deaf;

        void tell(CallUpdate update) {
            listener.join().accept(update);
        }

        @Override
        public <R> RemoteCall<R> as(Class<R> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String id() {
            return "id";
        }

        @Override
        public void acknowledge() {
            throw new UnsupportedOperationException();
        }

        @Override
        public TaskView.State state() {
            return TaskView.State.WORKING;
        }

        @Override
        public CallOutcome await(Duration limit) throws InterruptedException {
            return await();
        }

        @Override
        public CompletableFuture<CallOutcome> future() {
            return outcome.copy();
        }

        @Override
        public Optional<TaskReference> reference() {
            return Optional.of(REFERENCE);
        }

        @Override
        public void onUpdate(Consumer<CallUpdate> newListener) {
            listener.complete(newListener);
        }

        @Override
        public List<String> warnings() {
            return List.of("--ttl is not possible here");
        }

        @Override
        public CallOutcome await() throws InterruptedException {
            try {
                return outcome.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            if (!deaf) {
                outcome.complete(new CallOutcome.Cancelled());
            }
        }

        @Override
        public TaskReference detach() {
            return REFERENCE;
        }
    }
}

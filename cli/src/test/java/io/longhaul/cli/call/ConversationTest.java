package io.longhaul.cli.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.terminal.LineInput;
import io.longhaul.cli.terminal.StatusLine;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.ServerAddress;
import io.longhaul.client.TaskReference;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ConversationTest {
    private static final TaskReference REFERENCE = new TaskReference(
            new ServerAddress.Http(URI.create("http://127.0.0.1:1/mcp")), Generation.values()[0], "abc");
    private static final CallOutcome DONE =
            new CallOutcome.ToolResult(Json.raw("{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}"), false);

    private final ScriptedCall call = new ScriptedCall();

    @Test
    void progress_warnings_and_the_result_are_shown() throws Exception {
        var user = TestTerminal.silent();
        var code = follow(user, conversation(user));
        call.tell(new CallUpdate.Status(State.WORKING, new ProgressView(1, 2.0, "half"), null));
        call.tell(new CallUpdate.Trouble("the server is away\u0007"));
        call.outcome.complete(DONE);
        assertThat(code.get()).isZero();
        assertThat(user.out()).isEqualTo("done\n");
        assertThat(user.err())
                .contains("longhaul: --ttl is not possible here\n")
                .contains("50% half\n")
                .contains("longhaul: the server is away\\u0007 (still following)\n");
    }

    @Test
    void ctrl_c_asks_and_leaving_tells_how_to_come_back() throws Exception {
        var user = TestTerminal.interactive();
        var conversation = conversation(user);
        var code = follow(user, conversation);
        call.tell(new CallUpdate.Created(REFERENCE));
        conversation.interrupted();
        user.awaitErr("Cancel the task, leave it running, or go on?");
        user.type("l");
        assertThat(code.get()).isEqualTo(130);
        assertThat(user.err()).contains("longhaul attach " + REFERENCE);
        assertThat(call.cancelled).isFalse();
    }

    @Test
    void ctrl_c_can_cancel() throws Exception {
        var user = TestTerminal.interactive();
        var conversation = conversation(user);
        var code = follow(user, conversation);
        call.tell(new CallUpdate.Created(REFERENCE));
        conversation.interrupted();
        user.type("c");
        assertThat(code.get()).isEqualTo(130);
        assertThat(call.cancelled).isTrue();
        assertThat(user.err()).contains("the call was cancelled");
    }

    @Test
    void going_on_after_ctrl_c_ends_with_the_result() throws Exception {
        var user = TestTerminal.interactive();
        var conversation = conversation(user);
        var code = follow(user, conversation);
        call.tell(new CallUpdate.Created(REFERENCE));
        call.tell(new CallUpdate.Status(State.WORKING, new ProgressView(1, 2.0, "half"), null));
        conversation.interrupted();
        user.awaitErr("or go on?");
        user.type("g");
        call.outcome.complete(DONE);
        assertThat(code.get()).isZero();
    }

    @Test
    void a_second_ctrl_c_leaves_without_a_question() throws Exception {
        var user = TestTerminal.interactive();
        var conversation = conversation(user);
        var code = follow(user, conversation);
        call.tell(new CallUpdate.Created(REFERENCE));
        conversation.interrupted();
        conversation.interrupted();
        assertThat(code.get()).isEqualTo(130);
        assertThat(call.cancelled).isFalse();
    }

    @Test
    void a_call_that_is_no_task_is_cancelled_when_it_is_left() throws Exception {
        var user = TestTerminal.silent();
        var conversation = conversation(user);
        var code = follow(user, conversation);
        conversation.interrupted();
        assertThat(code.get()).isEqualTo(130);
        assertThat(call.cancelled).isTrue();
    }

    @Test
    void a_second_ctrl_c_cancels_what_is_no_task_and_waits_for_the_server_to_say_so() throws Exception {
        var user = TestTerminal.interactive();
        var conversation = conversation(user);
        var code = follow(user, conversation);
        conversation.interrupted();
        user.awaitErr("Ctrl-C cancels");
        conversation.interrupted();
        assertThat(code.get()).isEqualTo(130);
        assertThat(call.cancelled).isTrue();
        assertThat(user.err()).contains("Ctrl-C cancels): \n").endsWith("longhaul: the call was cancelled\n");
    }

    @Test
    void one_more_ctrl_c_does_not_wait_for_a_server_that_says_nothing() throws Exception {
        call.deaf = true;
        var user = TestTerminal.interactive();
        var conversation = conversation(user);
        var code = follow(user, conversation);
        conversation.interrupted();
        conversation.interrupted();
        conversation.interrupted();
        assertThat(code.get()).isEqualTo(130);
        assertThat(user.err()).contains("longhaul: the call was given up\n");
    }

    private Conversation conversation(TestTerminal user) {
        var status = new StatusLine(user.terminal(), () -> Instant.EPOCH);
        return new Conversation(user.terminal(), new LineInput(user.terminal().in()), status, call);
    }

    private static FutureTask<Integer> follow(TestTerminal user, Conversation conversation) {
        var following = new FutureTask<>(() -> conversation.follow(new ResultPrinter(user.terminal(), false)));
        Thread.ofVirtual().start(following);
        return following;
    }

    /** A call whose server is the test. */
    private static final class ScriptedCall implements RemoteCall {
        final CompletableFuture<CallOutcome> outcome = new CompletableFuture<>();
        private final CompletableFuture<Consumer<CallUpdate>> listener = new CompletableFuture<>();
        volatile boolean cancelled;
        volatile boolean deaf;

        void tell(CallUpdate update) {
            listener.join().accept(update);
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

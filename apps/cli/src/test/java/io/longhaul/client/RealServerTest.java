// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.CallOptions.TaskUse;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.transport.ClientHttp;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The client and the server together, over HTTP, with a store on disk. */
@Timeout(60)
class RealServerTest {

    @TempDir
    Path folder;

    private RealServer server;
    private final AtomicInteger asked = new AtomicInteger();
    private final QuestionHandler ada = QuestionHandler.NONE.forms(form -> {
        asked.incrementAndGet();
        return new Reply.Accepted(Json.raw("{\"name\":\"Ada\"}"));
    });

    @BeforeEach
    void start() {
        server = new RealServer(folder.resolve("tasks.db"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** All that can be asked questions, and go on after a restart. */
    static List<Generation> lasting() {
        return ClientDialects.spoken().stream()
                .filter(generation ->
                        !List.of(Generation.V2025_03_26, Generation.V2024_11_05).contains(generation))
                .toList();
    }

    /** Those whose clients can come back to a call. */
    static List<Generation> naming() {
        return lasting().stream()
                .filter(generation -> generation != Generation.V2025_06_18)
                .toList();
    }

    private McpClientBuilder client(Generation generation) {
        return McpClient.to(server.address()).generation(generation).answers(ada);
    }

    private static void awaitProgress(RemoteCall<?> call) throws InterruptedException {
        var seen = new CountDownLatch(1);
        call.onUpdate(update -> {
            if (update instanceof CallUpdate.Status status && status.progress() != null) {
                seen.countDown();
            }
        });
        seen.await();
    }

    /** Begins a call of the tool that waits, and returns when its progress was told. */
    private static RemoteCall<CallOutcome> begun(McpClient client) throws Exception {
        var call = client.call("slow", Json.EMPTY_OBJECT);
        awaitProgress(call);
        return call;
    }

    /** A client begins a call and leaves. */
    private TaskReference left(Generation generation) throws Exception {
        try (var client = client(generation).connect()) {
            var call = client.call("slow", Json.EMPTY_OBJECT);
            var reference = call.reference().orElseThrow();
            call.detach();
            return reference;
        }
    }

    /** Lets the tool end its work, which is to be the only one. */
    private void finishes(RemoteCall<CallOutcome> call) throws Exception {
        server.finish();
        assertThat(text(call.await())).contains("attempt");
        assertThat(server.calls()).isEqualTo(1);
    }

    private static String text(CallOutcome outcome) {
        assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
        return ((CallOutcome.ToolResult) outcome).result().toString();
    }

    @Test
    void the_newest_generation_is_found_and_described() {
        try (var client = McpClient.to(server.address()).connect()) {
            assertThat(client.server().generation()).isEqualTo(Generation.V2026_07_28);
            assertThat(client.server().name()).isEqualTo("real");
            assertThat(client.server().hasTasks()).isTrue();
            assertThat(client.tools()).extracting(ToolInfo::name).containsExactly("slow", "asking");
        }
    }

    @ParameterizedTest
    @MethodSource("io.longhaul.protocol.dialect.ClientDialects#spoken")
    void a_long_call_tells_its_progress_and_its_result_in_every_generation(Generation generation) throws Exception {
        try (var client = client(generation).connect()) {
            assertThat(client.server().generation()).isEqualTo(generation);
            var call = begun(client);
            finishes(call);
        }
    }

    @ParameterizedTest
    @MethodSource("io.longhaul.protocol.dialect.ClientDialects#spoken")
    void a_call_without_a_task_is_no_host_s_and_waits_for_its_result(Generation generation) throws Exception {
        try (var client = client(generation).name("agent", "1.0").connect()) {
            var call = client.call("slow", Json.EMPTY_OBJECT, CallOptions.DEFAULT.withTask(TaskUse.REFUSE));
            server.awaitBegin();
            finishes(call);
        }
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void a_question_of_a_long_call_is_asked_once(Generation generation) throws Exception {
        try (var client = client(generation).connect()) {
            assertThat(text(client.call("asking", Json.EMPTY_OBJECT).await())).contains("Hello, Ada");
        }
        assertThat(asked).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void a_call_goes_on_when_the_server_is_stopped_and_started_again_under_it(Generation generation) throws Exception {
        try (var client = client(generation).connect()) {
            var call = begun(client);
            server.stop();
            server.startAgain();
            server.finish();
            assertThat(text(call.await())).contains("\"attempt\":2");
        }
        assertThat(server.calls()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("naming")
    void another_client_goes_on_where_the_first_has_left_the_task(Generation generation) throws Exception {
        var reference = left(generation).toString();
        try (var second = McpClient.to(server.address()).answers(ada).connect()) {
            var call = second.attach(TaskReference.parse(reference));
            finishes(call);
        }
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void a_cancelled_call_ends_as_cancelled(Generation generation) throws Exception {
        try (var client = client(generation).connect()) {
            var call = begun(client);
            call.cancel();
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
        }
    }

    @ParameterizedTest
    @MethodSource("naming")
    void a_client_that_comes_back_cancels_what_another_has_begun(Generation generation) throws Exception {
        var reference = left(generation).toString();
        try (var second = client(generation).connect()) {
            var call = second.attach(TaskReference.parse(reference));
            call.cancel();
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
        }
        try (var any = McpClient.to(server.address()).connect()) {
            assertThat(any.tasks().list())
                    .extracting(task -> task.status().state())
                    .containsExactly(State.CANCELLED);
        }
    }

    @ParameterizedTest
    @MethodSource("naming")
    void a_client_that_comes_back_is_asked_what_another_one_has_left_open(Generation generation) throws Exception {
        TaskReference reference;
        var open = new CountDownLatch(1);
        var leaving = QuestionHandler.NONE.forms(form -> {
            open.countDown();
            return waitForOthers();
        });
        try (var first = client(generation).answers(leaving).connect()) {
            var call = first.call("asking", Json.EMPTY_OBJECT);
            open.await();
            reference = call.reference().orElseThrow();
            call.detach();
        }
        try (var second = client(generation).connect()) {
            assertThat(text(second.attach(reference).await())).contains("Hello, Ada");
        }
    }

    /** Clients of these generations run questions as tasks of their own. */
    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "SEP_1686"})
    void the_question_of_a_call_that_a_client_has_left_is_asked_of_the_next_one_beside_it(Generation generation)
            throws Exception {
        var open = new CountDownLatch(1);
        var leaving = QuestionHandler.NONE.forms(form -> {
            open.countDown();
            return waitForOthers();
        });
        try (var first = client(generation).answers(leaving).connect();
                var second = client(generation).connect()) {
            var call = first.call("asking", Json.EMPTY_OBJECT);
            open.await();
            call.detach();
            assertThat(text(second.attach(call.reference().orElseThrow()).await()))
                    .contains("Hello, Ada");
        }
    }

    @Test
    void a_task_that_has_ended_can_be_deleted() throws Exception {
        try (var client = client(Generation.SEP_1686).connect()) {
            var call = client.call("slow", Json.EMPTY_OBJECT);
            var task = call.reference().orElseThrow().taskId();
            assertThatThrownBy(() -> client.tasks().delete(task)).isInstanceOf(RefusedException.class);
            server.finish();
            call.await();
            client.tasks().delete(task);
            assertThat(client.tasks().list()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("naming")
    void a_creation_whose_answer_was_lost_is_not_made_twice(Generation generation) throws Exception {
        var lost = new AtomicBoolean();
        try (var client = client(generation)
                .over(() -> new Deaf(ClientHttp.to(server.address()), lost))
                .connect()) {
            var call = client.call("slow", Json.EMPTY_OBJECT);
            var task = call.reference().orElseThrow().taskId();
            finishes(call);
            assertThat(lost).isTrue();
            if (generation != Generation.SEP_1003) {
                assertThat(client.tasks().get(task).status().state()).isEqualTo(State.COMPLETED);
            }
        }
    }

    @Test
    void a_session_that_was_ended_by_the_server_is_replaced_and_the_task_goes_on() throws Exception {
        var session = new AtomicReference<Map<String, String>>();
        try (var client = client(Generation.V2025_11_25)
                .over(() -> new Listening(ClientHttp.to(server.address()), session))
                .connect()) {
            var call = begun(client);
            try (var other = ClientHttp.to(server.address())) {
                other.leave(session.get()).close();
            }
            finishes(call);
            assertThat(client.tasks().list()).hasSize(1);
        }
    }

    @Test
    void the_end_of_a_task_of_the_newest_generation_is_told_to_a_client_that_cannot_look() throws Exception {
        try (var client = client(Generation.V2026_07_28)
                .over(() -> new Blind(ClientHttp.to(server.address())))
                .connect()) {
            assertThat(text(client.call("asking", Json.EMPTY_OBJECT).await())).contains("Hello, Ada");
        }
        assertThat(asked).hasValue(1);
    }

    @Test
    void the_verbs_reach_tasks_of_every_generation_that_has_them() throws Exception {
        try (var client = McpClient.to(server.address()).connect()) {
            assertThat(client.server().generation()).isEqualTo(Generation.V2026_07_28);
            var task = client.call("slow", Json.EMPTY_OBJECT)
                    .reference()
                    .orElseThrow()
                    .taskId();
            var tasks = client.tasks();
            assertThat(tasks.list()).extracting(view -> view.id()).containsExactly(task);
            assertThat(tasks.cancel(task).status().state()).isEqualTo(State.CANCELLED);
            assertThat(tasks.result(task)).isInstanceOf(CallOutcome.Cancelled.class);
            assertThatThrownBy(() -> tasks.get("no-such-task")).isInstanceOf(RefusedException.class);
        }
    }

    @Test
    void a_task_can_be_answered_from_outside() throws Exception {
        try (var asking = client(Generation.V2026_07_28)
                        .answers(QuestionHandler.NONE.forms(form -> waitForOthers()))
                        .connect();
                var answering = McpClient.to(server.address()).connect()) {
            var call = asking.call("asking", Json.EMPTY_OBJECT);
            var task = call.reference().orElseThrow().taskId();
            var key = new AtomicReference<String>();
            var found = new CountDownLatch(1);
            Thread.ofVirtual().start(() -> {
                try {
                    answering
                            .tasks()
                            .watch(
                                    task,
                                    view -> view.inputs().keySet().forEach(open -> {
                                        key.set(open);
                                        found.countDown();
                                    }));
                } catch (InterruptedException | McpClientException e) {
                    found.countDown();
                }
            });
            found.await();
            answering
                    .tasks()
                    .answer(task, Map.of(key.get(), Json.raw("{\"action\":\"accept\",\"content\":{\"name\":\"Bo\"}}")));
            assertThat(text(call.await())).contains("Hello, Bo");
        }
    }

    /** A person who never answers, until the question is taken back. */
    private static Reply waitForOthers() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Reply.Dismissed();
    }

    /** Loses the answer to the first call of a tool, after the server has given it. */
    private record Deaf(ClientTransport real, AtomicBoolean lost) implements Forwarding {
        @Override
        public ServerReply send(Json message, Map<String, String> headers) throws TransportException {
            var reply = real.send(message, headers);
            if (message.toString().matches("(?s).*\"tools/(async/)?call\".*") && lost.compareAndSet(false, true)) {
                reply.next();
                reply.close();
                throw new TransportException(TransportException.Kind.LOST, "The answer was lost.");
            }
            return reply;
        }
    }

    /** Waits for ever for each look at a task. */
    private record Blind(ClientTransport real) implements Forwarding {
        @Override
        public ServerReply send(Json message, Map<String, String> headers) throws TransportException {
            try {
                new CountDownLatch(message.toString().contains("\"tasks/get\"") ? 1 : 0).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TransportException(TransportException.Kind.LOST, "interrupted", e);
            }
            return real.send(message, headers);
        }
    }

    /** Remembers the headers of the last request. */
    private record Listening(ClientTransport real, AtomicReference<Map<String, String>> session) implements Forwarding {
        @Override
        public ServerReply send(Json message, Map<String, String> headers) throws TransportException {
            if (headers.containsKey("Mcp-Session-Id")) {
                session.compareAndSet(null, headers);
            }
            return real.send(message, headers);
        }
    }

    /** Hands everything on to a real transport, but for what a test changes. */
    private interface Forwarding extends ClientTransport {
        ClientTransport real();

        @Override
        default boolean isLasting() {
            return false;
        }

        @Override
        default ServerReply listen(Map<String, String> headers) throws TransportException {
            return real().listen(headers);
        }

        @Override
        default ServerReply leave(Map<String, String> headers) throws TransportException {
            return real().leave(headers);
        }

        @Override
        default void close() {
            real().close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Where messages of operations go: to the stream of their call while its client is on that, else to the GET stream. */
@Timeout(60)
class OperationStreamsTest {

    private static final String OPERATION = "\"operation\":{\"token\":\"op-1\"},\"_meta\":{\"progressToken\":\"p\"}";
    private static final String ANSWER =
            "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}," + "\"_operation\":{\"token\":\"op-1\"}}";

    private final Semaphore steps = new Semaphore(0);

    @AutoClose
    private final Served served = Served.with(walks(), logs(), Tools.breaks());

    private final Served.Handshake client = served.handshake("next");

    /** Reports steps as it is let, and asks at the end. */
    private Tool walks() {
        return Tools.walks(steps, (none, task) -> {
            steps.acquire();
            return Tools.askName(task);
        });
    }

    @Test
    void the_immediate_result_ends_its_stream_which_can_be_resumed_for_the_messages_of_the_operation() {
        var own = client.resume(start(client));
        steps.release();
        var progress = own.nextContaining("step 1");
        assertThat(json(progress)
                        .path("params")
                        .path("_operation")
                        .path("token")
                        .asString())
                .isEqualTo("op-1");
        steps.release(3);
        var question = json(own.nextContaining("elicitation/create"));
        assertThat(question.path("params").path("_operation").path("token").asString())
                .isEqualTo("op-1");
        assertThat(status(client)).isEqualTo("input_required");
        assertThat(client.answer(question, ANSWER).status()).isEqualTo(202);
        assertThat(own.messages()).noneMatch(message -> message.contains("\"result\""));
        assertThat(status(client)).isEqualTo("completed");
    }

    @Test
    void they_go_to_the_get_stream_while_nobody_is_on_that_of_the_call() {
        var side = client.get();
        side.isStream();
        String last = start(client);
        steps.release();
        assertThat(json(side.nextContaining("step 1"))
                        .path("params")
                        .path("_operation")
                        .path("token")
                        .asString())
                .isEqualTo("op-1");
        var own = client.resume(last);
        own.isStream();
        steps.release();
        assertThat(own.nextMessageEvent().data()).contains("step 2");
        own.leave();
        steps.release();
        assertThat(side.nextMessageEvent().data()).contains("step 3");
        steps.release();
        assertThat(side.nextMessageEvent().data()).contains("elicitation/create");
    }

    @Test
    void what_was_lost_on_the_stream_of_the_call_is_told_again_there_and_nothing_else() {
        var own = client.resume(start(client));
        steps.release(2);
        var seen = own.nextContaining("step 1");
        own.nextContaining("step 2");
        own.leave();
        var side = client.get();
        side.isStream();
        steps.release();
        side.nextContaining("step 3");
        var again = client.resume(seen.id());
        assertThat(again.nextMessageEvent().data()).contains("step 2");
        steps.release();
        assertThat(again.nextMessageEvent().data()).contains("elicitation/create");
    }

    @Test
    void the_stream_of_the_call_is_resumed_from_the_record_after_a_restart() {
        String last = start(client);
        served.restart();
        steps.release(4);
        var own = client.resume(last);
        var told = new ArrayList<JsonNode>();
        // Progress is stored when there is time for it, which may be after the question that came after it.
        while (!methods(told).containsAll(List.of("notifications/progress", "elicitation/create"))) {
            told.add(json(own.nextMessageEvent()));
        }
        assertThat(told)
                .allSatisfy(message -> assertThat(message.path("params")
                                .path("_operation")
                                .path("token")
                                .asString())
                        .isEqualTo("op-1"));
        var question = told.get(methods(told).indexOf("elicitation/create"));
        client.answer(question, ANSWER).status();
        own.messages();
        assertThat(status(client)).isEqualTo("completed");
    }

    @Test
    void what_was_lost_before_a_restart_is_told_on_the_stream_of_the_call_though_another_stream_is_open() {
        var reply = client.send("tools/call", Served.and(Served.call("logs", "{}"), OPERATION));
        var own = client.resume(String.valueOf(reply.next().orElseThrow().id()));
        steps.release(2);
        String last = String.valueOf(own.nextContaining("line 1").id());
        own.nextContaining("line 2");
        served.restart();
        var side = client.get();
        side.isStream();
        assertThat(client.resume(last).nextMessageEvent().data()).contains("line 2");
    }

    /** Logs lines as it is let. */
    private Tool logs() {
        return Tool.define("logs")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    for (int line = 1; line < 5; line++) {
                        steps.acquire();
                        task.log("info", "line " + line);
                    }
                    return "done";
                });
    }

    @Test
    void the_stream_of_an_operation_that_has_ended_ends_at_once() {
        var reply = client.send("tools/call", Served.and(Served.call("breaks", "{}"), OPERATION));
        String last = reply.next().orElseThrow().id();
        String status = "";
        while (!status.equals("failed")) {
            status = status(client);
        }
        assertThat(client.resume(last).messages()).isEmpty();
    }

    @Test
    void nobody_else_comes_to_the_stream_of_a_call() {
        String last = start(client);
        var other = served.handshake("next");
        assertThat(other.resume(last).status()).isEqualTo(400);
        // A made-up id: the stream is one of the other session, the task is not.
        String[] made = start(other, "op-2").split("\\.", -1);
        made[4] = last.split("\\.", -1)[4];
        assertThat(other.resume(String.join(".", made)).status()).isEqualTo(405);
        assertThat(served.handshake("next", Served.BOB).resume(last).status()).isEqualTo(400);
    }

    @Test
    void on_a_connection_all_goes_one_way() {
        var connection = served.connect();
        connection.send(Served.initialize("next", "{\"elicitation\":{}}"));
        assertThat(connection.next()).contains("\"protocolVersion\":\"next\"");
        connection.send(Served.request(1, "tools/call", Served.and(Served.call("walks", "{}"), OPERATION)));
        assertThat(connection.next()).contains("\"operation\":{\"token\":\"op-1\"");
        steps.release();
        assertThat(connection.next()).contains("step 1").contains("\"_operation\":{\"token\":\"op-1\"}");
    }

    /** Starts the operation, and gives the id of the event that was its immediate result. */
    private static List<String> methods(List<JsonNode> messages) {
        return messages.stream()
                .map(message -> message.path("method").asString())
                .toList();
    }

    private static String start(Served.Handshake client) {
        return start(client, "op-1");
    }

    private static String start(Served.Handshake client, String token) {
        var reply = client.send("tools/call", Served.and(Served.call("walks", "{}"), OPERATION.replace("op-1", token)));
        var event = reply.next().orElseThrow();
        assertThat(event.data()).contains("\"operation\"");
        assertThat(reply.next()).isEmpty();
        return String.valueOf(event.id());
    }

    private static String status(Served.Handshake client) {
        return client.ask("tools/async/status", "{\"token\":\"op-1\"}")
                .path("result")
                .path("status")
                .asString();
    }

    private static JsonNode json(MemoryReply.Event event) {
        return Served.json(event.data());
    }
}

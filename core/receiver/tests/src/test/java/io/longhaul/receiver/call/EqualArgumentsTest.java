// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import static io.longhaul.server.HandOverParts.PLAIN;
import static io.longhaul.server.HandOverParts.named;
import static io.longhaul.server.HandOverParts.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.receiver.ext.resume.ResumeTokensTest;
import io.longhaul.server.HandOverParts;
import io.longhaul.server.OneHandlerEveryGenerationTest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A call is the same call in every generation, however its numbers are written. */
class EqualArgumentsTest {

    record Sale(double discount, int count) {}

    private static final String CALL = Served.call("sell", "{\"discount\":0.2,\"count\":0}");
    private static final String SAME = Served.call("sell", "{\"count\":0.0,\"discount\":2.0e-1}");
    private static final String OTHER = Served.call("sell", "{\"discount\":0.21,\"count\":0}");

    private final FakeTime time = new FakeTime();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.with(time, sell(), asks());

    private Tool sell() {
        return Tool.define("sell")
                .description("Sells")
                .input(Sale.class)
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((sale, task) -> {
                    task.partial("begun");
                    gate.await();
                    return "sold";
                });
    }

    private static Tool asks() {
        return Tool.define("asks").description("Asks").input(Sale.class).handler((sale, call) -> Tools.askName(call));
    }

    private JsonNode handedOver(MemoryReply call) throws InterruptedException {
        time.advanceToAlarmIn(HandOverParts.HOLD);
        return result(call);
    }

    @Test
    void a_repeated_call_joins_its_work() throws Exception {
        var client = served.handshake("2025-06-18", PLAIN);
        var first = named(handedOver(client.send("tools/call", CALL)));
        assertThat(named(handedOver(client.send("tools/call", SAME)))).isEqualTo(first);
        assertThat(named(handedOver(client.send("tools/call", OTHER)))).isNotEqualTo(first);
    }

    @Test
    void a_creation_key_stands_for_its_call_in_2026() {
        var client = served.stateless(Served.TASKS);
        var key = "\"_meta\":{\"io.longhaul/creation-key\":\"k\"}";
        var first = client.ask("tools/call", Served.and(CALL, key)).at("/result/taskId");
        assertThat(first.isString()).isTrue();
        assertThat(client.ask("tools/call", Served.and(SAME, key)).at("/result/taskId"))
                .isEqualTo(first);
        assertThat(client.ask("tools/call", Served.and(OTHER, key)).has("error"))
                .isTrue();
    }

    @Test
    void a_creation_key_stands_for_its_call_in_2025() {
        var client = served.handshake("2025-11-25");
        var key = "\"task\":{},\"_meta\":{\"io.longhaul/creation-key\":\"k\"}";
        var first = client.ask("tools/call", Served.and(CALL, key)).at("/result/task/taskId");
        assertThat(first.isString()).isTrue();
        assertThat(client.ask("tools/call", Served.and(SAME, key)).at("/result/task/taskId"))
                .isEqualTo(first);
        assertThat(client.ask("tools/call", Served.and(OTHER, key)).has("error"))
                .isTrue();
    }

    @Test
    void the_token_of_an_operation_stands_for_its_call() {
        var client = served.handshake("next");
        var token = "\"operation\":{\"token\":\"op-1\"}";
        client.ask("tools/call", Served.and(CALL, token));
        assertThat(client.ask("tools/call", Served.and(SAME, token)).at("/result/operation/token"))
                .hasToString("\"op-1\"");
        assertThat(client.ask("tools/call", Served.and(OTHER, token)).has("error"))
                .isTrue();
    }

    @Test
    void the_id_of_a_requestor_stands_for_its_call() {
        var client = served.handshake("2025-06-18");
        var id = "\"_meta\":{\"modelcontextprotocol.io/task\":{\"taskId\":\"mine\"}}";
        client.send("tools/call", Served.and(CALL, id)).nextMessage();
        assertThat(client.send("tools/call", Served.and(SAME, id)).nextMessage())
                .contains("notifications/tasks/created");
        assertThat(client.ask("tools/call", Served.and(OTHER, id)).has("error")).isTrue();
    }

    @Test
    void the_own_id_of_a_task_stands_for_its_call_where_a_requestor_chooses_it() {
        var asked = served.handshake("2025-11-25").ask("tools/call", Served.and(CALL, "\"task\":{}"));
        var id = "\"_meta\":{\"modelcontextprotocol.io/task\":{\"taskId\":" + asked.at("/result/task/taskId") + "}}";
        var client = served.handshake("2025-06-18");
        assertThat(client.send("tools/call", Served.and(SAME, id)).nextMessage())
                .contains("notifications/tasks/created");
        assertThat(client.ask("tools/call", Served.and(OTHER, id)).has("error")).isTrue();
    }

    @Test
    void a_resume_token_is_good_for_its_call() {
        var client = served.handshake("2025-06-18", ResumeTokensTest.KNOWS);
        var token = ResumeTokensTest.token(client.ask("tools/call", CALL));
        gate.countDown();
        assertThat(ResumeTokensTest.texts(client.ask("tools/call", ResumeTokensTest.resume(SAME, token))))
                .containsExactly("sold");
        assertThat(client.ask("tools/call", ResumeTokensTest.resume(OTHER, token))
                        .has("error"))
                .isTrue();
    }

    @Test
    void the_state_of_a_request_is_good_for_its_call() {
        var client = served.stateless("{\"elicitation\":{}}");
        var call = CALL.replace("sell", "asks");
        var asked = client.ask("tools/call", call).path("result");
        var answer = "\"requestState\":" + asked.path("requestState") + ",\"inputResponses\":{\""
                + asked.path("inputRequests").propertyNames().iterator().next()
                + "\":{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}}";
        var other = client.ask("tools/call", Served.and(OTHER.replace("sell", "asks"), answer));
        assertThat(other.has("error")).isTrue();
        var same = client.ask("tools/call", Served.and(SAME.replace("sell", "asks"), answer));
        assertThat(OneHandlerEveryGenerationTest.text(same.path("result"))).isEqualTo("It is Ada");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.ToolInfo;
import io.longhaul.engine.task.Payload;
import io.longhaul.fakes.Blocking;
import io.longhaul.gateway.call.LongTool;
import io.longhaul.gateway.link.Link;
import io.longhaul.protocol.json.Json;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a gateway does while a server behind it is away, and what that server learns of callers. */
@Timeout(120)
class AwayTest {

    @TempDir
    Path folder;

    private Behind behind() {
        return new Behind(folder.resolve("behind.db"));
    }

    private Front front(URI address) {
        return Front.of(
                folder.resolve("gateway.db"), Upstream.at("tests", address).quickTools("echo"));
    }

    @Test
    void a_call_is_told_that_its_server_is_away_and_the_next_one_finds_it_back() throws Exception {
        try (var behind = behind();
                var front = front(behind.address());
                var client = front.client().connect()) {
            behind.stop();
            assertThat(client.call("echo", Json.EMPTY_OBJECT).await())
                    .isInstanceOfSatisfying(
                            CallOutcome.ToolError.class,
                            end -> assertThat(end.reason())
                                    .contains("'tests'")
                                    .contains("Try again later")
                                    .doesNotContain("127.0.0.1"));
            behind.startAgain();
            assertThat(GatewayTest.text(
                            client.call("echo", Map.of("text", "back")).await()))
                    .contains("echo back");
        }
    }

    @Test
    void a_long_call_waits_while_its_server_is_away_and_goes_on_with_the_same_task() throws Exception {
        var asked = new CountDownLatch(1);
        var back = new CountDownLatch(1);
        var adaLater = QuestionHandler.NONE.forms(form -> {
            asked.countDown();
            Blocking.await(back);
            return new Reply.Accepted(Json.raw("{\"name\":\"Ada\"}"));
        });
        try (var behind = behind();
                var front = front(behind.address());
                var client = front.client().answers(adaLater).connect()) {
            var call = client.call("approve", Json.EMPTY_OBJECT);
            asked.await();
            behind.stop();
            behind.startAgain();
            back.countDown();
            assertThat(GatewayTest.text(call.await())).contains("Hello, Ada");
        }
    }

    @Test
    void the_tools_of_a_server_that_is_away_when_the_gateway_starts_are_known_from_before() throws Exception {
        try (var behind = behind()) {
            front(behind.address()).close();
            behind.stop();
            try (var front = front(behind.address());
                    var client = front.client().connect()) {
                assertThat(client.tools()).extracting(ToolInfo::name).contains("echo", "job");
                assertThat(client.call("echo", Json.EMPTY_OBJECT).await()).isInstanceOf(CallOutcome.ToolError.class);
                behind.startAgain();
                CallOutcome end;
                do {
                    end = client.call("echo", Map.of("text", "x")).await();
                } while (!(end instanceof CallOutcome.ToolResult));
            }
        }
    }

    @Test
    void a_task_whose_server_was_not_reached_since_the_gateway_began_says_so() throws Exception {
        var upstream = Upstream.launch("bank", List.of("true"));
        var run = new GatewayRun();
        run.saveHandle(Payload.ofText("{\"upstream\":\"bank\"}"));
        try (var link = new Link(upstream.server, listing -> {})) {
            var tool = new LongTool(Map.of("bank", link), upstream.server, "pay", false, new ConcurrentHashMap<>());
            link.start();
            link.awaitLook(Duration.ofMinutes(1));
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> tool.run(run)).isInstanceOf(InterruptedException.class);
        }
        assertThat(run.messages)
                .containsExactly("The server 'bank' is out of reach; the call goes on when it is back.");
    }

    @Test
    void a_server_that_comes_later_is_found_and_clients_are_told() throws Exception {
        var behind = behind();
        behind.stop();
        try (var front = front(behind.address());
                var client = front.client().connect()) {
            assertThat(client.tools()).isEmpty();
            var changed = new LinkedBlockingQueue<Object>();
            try (var listening = client.onListChange(changed::add)) {
                behind.startAgain();
                while (client.tools().isEmpty()) {
                    changed.take();
                }
            }
        } finally {
            behind.close();
        }
    }

    @Test
    void a_call_of_a_server_without_tasks_is_not_repeated_and_its_outcome_is_said_to_be_unknown() throws Exception {
        try (var foreign = new ForeignServer()) {
            var upstream = Upstream.at("bank", foreign.address()).longTools("pay");
            String task;
            try (var front = Front.of(folder.resolve("gateway.db"), upstream);
                    var client = front.client().connect()) {
                task = client.call("pay", Json.EMPTY_OBJECT)
                        .reference()
                        .orElseThrow()
                        .taskId();
                foreign.awaitCalled();
            }
            try (var front = Front.of(folder.resolve("gateway.db"), upstream);
                    var client = front.client().connect()) {
                assertThat(client.tasks().result(task))
                        .isInstanceOfSatisfying(
                                CallOutcome.ProtocolError.class,
                                end -> assertThat(end.error().message())
                                        .contains("'bank'")
                                        .contains("may have carried out the call, or not"));
            }
            assertThat(foreign.calls()).isEqualTo(1);
        }
    }

    @Test
    void a_call_of_an_idempotent_tool_of_a_server_without_tasks_is_made_again() throws Exception {
        try (var foreign = new ForeignServer()) {
            var upstream = Upstream.at("bank", foreign.address()).longTools("store");
            String task;
            try (var front = Front.of(folder.resolve("gateway.db"), upstream);
                    var client = front.client().connect()) {
                task = client.call("store", Json.EMPTY_OBJECT)
                        .reference()
                        .orElseThrow()
                        .taskId();
                foreign.awaitCalled();
            }
            foreign.open();
            try (var front = Front.of(folder.resolve("gateway.db"), upstream);
                    var client = front.client().connect()) {
                assertThat(GatewayTest.text(client.tasks().result(task))).contains("paid");
            }
            assertThat(foreign.calls()).isEqualTo(2);
        }
    }

    /** The end of a call, after whose start the gateway starts again with another address of the server. */
    private CallOutcome moved(String tool, ForeignServer before, ForeignServer now) throws Exception {
        var store = folder.resolve("gateway.db");
        String task;
        try (var front = Front.of(store, Upstream.at("bank", before.address()).longTools("pay", "store"));
                var client = front.client().connect()) {
            task = client.call(tool, Json.EMPTY_OBJECT)
                    .reference()
                    .orElseThrow()
                    .taskId();
            before.awaitCalled();
        }
        now.open();
        try (var front = Front.of(store, Upstream.at("bank", now.address()).longTools("pay", "store"));
                var client = front.client().connect()) {
            return client.tasks().result(task);
        }
    }

    @Test
    void a_call_is_not_made_again_at_another_address_of_its_server() throws Exception {
        try (var before = new ForeignServer();
                var now = new ForeignServer()) {
            assertThat(moved("pay", before, now))
                    .isInstanceOfSatisfying(
                            CallOutcome.ProtocolError.class,
                            end -> assertThat(end.error().message())
                                    .contains("'bank'")
                                    .contains("has another address")
                                    .doesNotContain("127.0.0.1"));
            assertThat(before.calls()).isEqualTo(1);
            assertThat(now.calls()).isZero();
        }
    }

    @Test
    void a_call_of_an_idempotent_tool_is_made_again_at_another_address_of_its_server() throws Exception {
        try (var before = new ForeignServer();
                var now = new ForeignServer()) {
            assertThat(GatewayTest.text(moved("store", before, now))).contains("paid");
            assertThat(now.calls()).isEqualTo(1);
        }
    }

    @Test
    void a_token_of_a_caller_is_not_passed_on_and_that_of_the_gateway_is() throws Exception {
        try (var foreign = new ForeignServer()) {
            var guarded = Upstream.at("bank", foreign.address()).header("Authorization", "Bearer of-the-gateway");
            try (var front = Front.of(
                            folder.resolve("gateway.db"),
                            guarded.longTools("pay"),
                            Upstream.at("quick", foreign.address()).header("Authorization", "Bearer of-the-gateway"));
                    var client = front.client().bearer("of-the-caller").connect()) {
                foreign.open();
                for (var tool : List.of("pay", "quick_pay")) {
                    assertThat(GatewayTest.text(
                                    client.call(tool, Json.EMPTY_OBJECT).await()))
                            .contains("paid");
                }
            }
            assertThat(foreign.calls()).isEqualTo(2);
            assertThat(foreign.headers())
                    .allSatisfy(sent -> assertThat(sent).contains("Bearer of-the-gateway"))
                    .allSatisfy(sent -> assertThat(sent).doesNotContain("of-the-caller"));
            assertThat(guarded.toString()).doesNotContain("of-the-gateway");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.Blocking;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.testkit.talk.Messages;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A handler knows who calls. */
class CallerInfoTest {

    private static final Map<String, String> TENANT =
            Map.of(MemoryTransport.SCOPES, "read write", MemoryTransport.CALLER_HEADER, "acme", "X-Other", "hidden");

    private final CountDownLatch restarted = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.with(
            server -> server.prompt(Prompt.define("p")
                            .handler((none, call) -> List.of(PromptMessage.user(text(call.caller())))))
                    .resource(Resource.define("r://r").handler((request, call) -> text(call.caller()))),
            Tool.define("quick").handler((none, call) -> text(call.caller())),
            Tool.define("waits").handler((none, call) -> {
                begun.countDown();
                mayEnd.await();
                return text(call.caller());
            }),
            Tool.define("slow").longRunning().handler((none, task) -> text(task.caller())),
            Tool.define("lasts")
                    .longRunning(task -> task.onCrash(CrashPolicy.RESTART))
                    .handler((none, task) -> {
                        if (task.attempt() == 1) {
                            restarted.await();
                        }
                        return text(task.caller());
                    }));

    private static String text(CallerInfo caller) {
        return String.join(
                " ",
                caller.principal().name(),
                caller.principal().kind().name(),
                caller.scopes().stream().sorted().toList().toString(),
                caller.clientName(),
                caller.clientVersion(),
                caller.headers().toString());
    }

    private Served.Handshake tenant(Principal principal) {
        return served.handshake("2025-11-25", principal)
                .with(MemoryTransport.SCOPES, "read write")
                .with(MemoryTransport.CALLER_HEADER, "acme")
                .with("X-Other", "hidden");
    }

    @Test
    void every_kind_of_handler_knows_principal_scopes_client_and_the_headers_that_are_let_through() {
        String alice = "alice AUTHORIZED [read, write] t 1 {X-Tenant=acme}";
        for (String[] call : new String[][] {
            {"tools/call", Served.call("quick", "{}")},
            {"tools/call", Served.call("slow", "{}")},
            {"prompts/get", "{\"name\":\"p\"}"},
            {"resources/read", "{\"uri\":\"r://r\"}"}
        }) {
            assertThat(tenant(Served.ALICE).ask(call[0], call[1]).toString())
                    .as(call[1])
                    .contains(alice);
            assertThat(served.stateless("{}").send(call[0], call[1], TENANT).response())
                    .as(call[1])
                    .contains(alice);
        }
    }

    @Test
    void a_task_knows_who_created_it_after_a_restart_too() {
        var session = tenant(Served.BOB);
        String task = session.task("lasts");
        served.restart();
        restarted.countDown();
        assertThat(session.ask("tasks/result", taskId(task)).toString())
                .contains("bob AUTHORIZED [read, write] t 1 {X-Tenant=acme}");
    }

    @Test
    void local_and_anonymous_callers_are_told_apart_and_have_no_scopes() {
        var quick = Served.request(1, "tools/call", Served.call("quick", "{}"));
        var connection = served.connect();
        connection.send(Served.initialize("2025-11-25", "{}"));
        connection.next();
        connection.send(quick);
        assertThat(connection.next()).contains("local LOCAL [] t 1 {}");
        var anonymous = served.handshakeFrom("192.0.2.1", "2025-11-25");
        assertThat(anonymous.ask("tools/call", Served.call("slow", "{}")).toString())
                .contains("anonymous ANONYMOUS [] t 1 {}");
    }

    @Test
    void each_stateless_request_on_a_pipe_is_of_the_client_that_it_names() {
        var connection = served.connect();
        connection.send(Served.initialize("2025-11-25", "{}"));
        connection.next();
        connection.send(stateless(1, "waits", "first"));
        Blocking.await(begun);
        connection.send(stateless(2, "quick", "second"));
        assertThat(connection.next()).contains("local LOCAL [] second 1 {}");
        mayEnd.countDown();
        assertThat(connection.next()).contains("local LOCAL [] first 1 {}");
        connection.send(Served.request(3, "tools/call", Served.call("quick", "{}")));
        assertThat(connection.next()).as("in the session").contains("local LOCAL [] t 1 {}");
    }

    private static String stateless(int id, String tool, String client) {
        var params = Messages.alone(Served.call(tool, "{}"), "{}");
        return Served.request(id, "tools/call", params.replace("\"name\":\"t\"", "\"name\":\"" + client + "\""));
    }

    @Test
    void what_a_client_calls_itself_is_cut() {
        var given = "n".repeat(1_000);
        var caller = new CallerInfo(Principal.LOCAL, Set.of(), given, given, Map.of());
        assertThat(caller.clientName()).hasSize(200).isEqualTo(caller.clientVersion());
    }
}

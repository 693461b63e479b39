package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static io.longhaul.server.RequestorTasksTest.augmented;
import static io.longhaul.server.RequestorTasksTest.named;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.testkit.FakeTime;
import io.longhaul.testkit.MemoryReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Every method of every generation, on every id of somebody else's: Bob gets, byte by byte, what he gets for an id that
 * does not exist.
 */
@Timeout(60)
class ForeignTasksTest {

    private static final String STATELESS = "2026-07-28";
    private static final String PLAIN = "{}";

    private final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.with(new FakeTime(), Tools.waits(gate), Tools.asks(), speaks());

    private final Map<String, String> foreign = madeByAlice();

    private static Tool speaks() {
        return Tool.define("speaks")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    task.partial("secret" + " ".repeat(64 * 1024));
                    return Tools.askName(task);
                });
    }

    /** One task of Alice in each generation, by the id that the generation shows. */
    private Map<String, String> madeByAlice() {
        var ids = new LinkedHashMap<String, String>();
        ids.put("a task of 2025-11-25", served.handshake("2025-11-25").task("asks"));
        ids.put(
                "a task of 2026-07-28",
                served.stateless(Served.TASKS)
                        .ask("tools/call", Served.call("waits", "{}"))
                        .at("/result/taskId")
                        .asString());
        served.handshake("2025-06-18")
                .send("tools/call", augmented("waits", "{}", "named-1"))
                .nextMessage();
        ids.put("a task named by SEP-1686", "named-1");
        ids.put("an operation named by SEP-1391", operation("alices-1"));
        ids.put("an operation of SEP-1391", operation(null));
        ids.put(
                "a call of tools/async",
                served.handshake("2025-06-18")
                        .ask("tools/async/call", Served.call("waits", "{}"))
                        .at("/result/token")
                        .asString());
        return ids;
    }

    private String operation(String token) {
        var wish = token == null ? "\"operation\":{}" : "\"operation\":{\"token\":\"" + token + "\"}";
        return served.handshake("next")
                .ask("tools/call", Served.and(Served.call("waits", "{}"), wish))
                .at("/result/operation/token")
                .asString();
    }

    /** A request about a task, in one generation. */
    private record Way(String generation, String method, Function<String, String> params) {}

    private static Way way(String generation, String method, Function<String, String> params) {
        return new Way(generation, method, params);
    }

    private static String token(String id) {
        return "{\"token\":\"" + id + "\"}";
    }

    private static String updated(String id) {
        return "{\"taskId\":\"" + id + "\",\"inputResponses\":{\"input-1\":{\"action\":\"decline\"}}}";
    }

    private static String listened(String id) {
        return "{\"notifications\":{\"taskIds\":[\"" + id + "\"],\"resourceSubscriptions\":[\"" + output(id) + "\"]}}";
    }

    private static String output(String id) {
        return "longhaul://tasks/" + id + "/output";
    }

    private static Function<String, String> uri(String end) {
        return id -> "{\"uri\":\"longhaul://tasks/" + id + "/" + end + "\"}";
    }

    private static List<Way> ways() {
        var ways = new ArrayList<>(List.of(
                way("2025-11-25", "tasks/get", id -> taskId(id)),
                way("2025-11-25", "tasks/result", id -> taskId(id)),
                way("2025-11-25", "tasks/cancel", id -> taskId(id)),
                way("2025-06-18", "tasks/get", id -> named(id)),
                way("2025-06-18", "tasks/result", id -> named(id)),
                way("2025-06-18", "tasks/delete", id -> named(id)),
                way("next", "tools/async/status", ForeignTasksTest::token),
                way("next", "tools/async/result", ForeignTasksTest::token),
                way("2025-06-18", "tools/async/get", ForeignTasksTest::token),
                way("2025-06-18", "tools/async/join", ForeignTasksTest::token),
                way(STATELESS, "tasks/get", id -> taskId(id)),
                way(STATELESS, "tasks/cancel", id -> taskId(id)),
                way(STATELESS, "tasks/update", ForeignTasksTest::updated),
                way(STATELESS, "subscriptions/listen", ForeignTasksTest::listened)));
        for (var generation : List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "next", STATELESS)) {
            for (var verb : List.of("get", "history", "retry")) {
                ways.add(way(generation, "io.longhaul/tasks/" + verb, id -> taskId(id)));
            }
            ways.add(way(generation, "resources/read", uri("output")));
            ways.add(way(generation, "resources/read", uri("log")));
            for (var companion : List.of("task_wait", "task_answer", "task_cancel")) {
                ways.add(way(generation, "tools/call", id -> Served.call(companion, "{\"task\":\"" + id + "\"}")));
            }
        }
        for (var generation : List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "next")) {
            ways.add(way(generation, "resources/subscribe", uri("output")));
        }
        ways.add(way(STATELESS, "io.longhaul/tasks/delete", id -> taskId(id)));
        return ways;
    }

    @TestFactory
    List<DynamicTest> a_method_answers_for_an_id_of_another_owner_as_for_none() {
        var tests = new ArrayList<DynamicTest>();
        for (var way : ways()) {
            foreign.forEach((what, id) -> tests.add(DynamicTest.dynamicTest(
                    way.method() + " of " + way.generation() + " on " + what, () -> assertSame(id, unlike(id), way))));
        }
        return tests;
    }

    /** Another id of the same form. */
    private static String unlike(String id) {
        return id.substring(0, id.length() - 1) + (id.endsWith("7") ? "8" : "7");
    }

    private void assertSame(String id, String unknown, Way way) {
        assertThat(answer(Served.BOB, way, id)).isEqualTo(answer(Served.BOB, way, unknown));
    }

    /** The first message that answers, with {@code ID} in the place of the id. */
    private String answer(Principal caller, Way way, String id) {
        var params = way.params().apply(id);
        var capabilities = way.method().equals("tools/call") ? PLAIN : Served.TASKS;
        var reply = way.generation().equals(STATELESS)
                ? served.stateless(capabilities, caller).send(way.method(), params)
                : served.handshake(way.generation(), caller, capabilities).send(way.method(), params);
        return reply.nextMessage().replace(id, "ID");
    }

    @Test
    void a_session_of_another_owner_answers_as_one_that_never_was() {
        var session = served.handshake("2025-11-25");
        var foreign = session.as(Served.BOB);
        var unknown = foreign.with("Mcp-Session-Id", "0".repeat(36));
        List<Function<Served.Handshake, MemoryReply>> requests = List.of(
                client -> client.send("ping", "{}"),
                Served.Handshake::get,
                client -> client.resume("1"),
                Served.Handshake::delete);
        for (var request : requests) {
            var refused = request.apply(foreign);
            var never = request.apply(unknown);
            assertThat(refused.status()).isEqualTo(404).isEqualTo(never.status());
            assertThat(refused.response()).isEqualTo(never.response());
        }
        assertThat(session.send("ping", "{}").status()).isEqualTo(200);
    }

    /**
     * Without this, a method that its generation does not have would answer all alike. Two methods tell nothing apart
     * at once: {@code resources/subscribe} takes any address, and {@code tools/async/get} waits for the end of a task.
     */
    @TestFactory
    List<DynamicTest> the_owner_gets_another_answer_for_one_of_the_ids_than_for_none() {
        var tests = new ArrayList<DynamicTest>();
        var telling = ways();
        telling.removeIf(
                way -> List.of("resources/subscribe", "tools/async/get").contains(way.method()));
        for (var way : telling) {
            tests.add(DynamicTest.dynamicTest(
                    way.method() + " of " + way.generation(),
                    () -> assertThat(foreign.values())
                            .anySatisfy(id -> assertThat(answer(Served.ALICE, way, id))
                                    .isNotEqualTo(answer(Served.ALICE, way, unlike(id))))));
        }
        return tests;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.augmented;
import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.named;
import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Dialect.Decoded;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.RequestHeaders;
import io.longhaul.protocol.dialect.Selection;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.ext.resume.ResumeTokensTest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import io.longhaul.testkit.talk.Messages;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
    private static final String ID = "7".repeat(TaskId.LENGTH);
    private static final String PLAIN = "{}";

    private final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.with(new FakeTime(), Tools.waits(gate), Tools.asks(), speaks(), first());

    private final Map<String, String> foreign = madeByAlice();

    private static Tool speaks() {
        return Tool.define("speaks")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    task.partial("secret" + " ".repeat(64 * 1024));
                    return Tools.askName(task);
                });
    }

    /** Asks before there is a task. */
    private static Tool first() {
        return Tool.define("first")
                .longRunning(options -> options.elicitFirst("who", "Who?", Tools.Name.class))
                .handler((none, task) -> "done");
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

    /** A message about a task, in one version. */
    private record Way(String version, String method, Function<String, String> params) {

        boolean isNotification() {
            return TOLD.contains(method);
        }

        @Override
        public String toString() {
            return method + " of " + version + " with " + params.apply("an id");
        }
    }

    private static String token(String id) {
        return "{\"token\":\"" + id + "\"}";
    }

    private static String cursor(String id) {
        return "{\"cursor\":\"" + id + "\"}";
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

    private static Function<String, String> companion(String tool) {
        return id -> Served.call(tool, "{\"task\":\"" + id + "\"}");
    }

    private static String request(String id) {
        return "{\"requestId\":\"" + id + "\"}";
    }

    /** The methods whose messages can name a task, and how; those that a generation does not read so are left out. */
    private static final Map<String, List<Function<String, String>>> METHODS = Map.ofEntries(
            entry("tasks/get", List.of(id -> taskId(id), id -> named(id))),
            entry("tasks/result", List.of(id -> taskId(id), id -> named(id))),
            entry("tasks/cancel", List.of(id -> taskId(id))),
            entry("tasks/delete", List.of(id -> named(id))),
            entry("tasks/list", List.of(ForeignTasksTest::cursor)),
            entry("tasks/update", List.of(ForeignTasksTest::updated)),
            entry("tools/async/status", List.of(ForeignTasksTest::token)),
            entry("tools/async/result", List.of(ForeignTasksTest::token)),
            entry("tools/async/get", List.of(ForeignTasksTest::token)),
            entry("tools/async/join", List.of(ForeignTasksTest::token)),
            entry("tools/async/cancel", List.of(ForeignTasksTest::token)),
            entry("io.longhaul/tasks/get", List.of(id -> taskId(id))),
            entry("io.longhaul/tasks/history", List.of(id -> taskId(id))),
            entry("io.longhaul/tasks/retry", List.of(id -> taskId(id))),
            entry("io.longhaul/tasks/delete", List.of(id -> taskId(id))),
            entry("io.longhaul/tasks/list", List.of(ForeignTasksTest::cursor)),
            entry("io.longhaul/tasks/purge", List.of(ForeignTasksTest::cursor)),
            entry("notifications/cancelled", List.of(ForeignTasksTest::request)),
            entry("subscriptions/listen", List.of(ForeignTasksTest::listened)),
            entry("resources/read", List.of(uri("output"), uri("log"))),
            entry("resources/subscribe", List.of(uri("output"))),
            entry("resources/unsubscribe", List.of(uri("output"))),
            entry("tools/call", List.of(companion("task_wait"), companion("task_answer"), companion("task_cancel"))));

    /** Notifications, which have no answer. */
    private static final Set<String> TOLD = Set.of("tools/async/cancel", "notifications/cancelled");

    /** Methods that name what all see alike. */
    private static final Set<String> OF_ALL = Set.of(
            "tools/list",
            "tools/async/call",
            "prompts/list",
            "prompts/get",
            "resources/list",
            "resources/templates/list",
            "completion/complete");

    private static final DialectSelector DIALECTS = new DialectSelector("test", "1");

    private static List<Way> ways() {
        return versions()
                .flatMap(version -> METHODS.entrySet().stream()
                        .flatMap(method ->
                                method.getValue().stream().map(params -> new Way(version, method.getKey(), params))))
                .filter(way ->
                        takesAnId(way.version(), way.method(), way.params().apply(ID)))
                .toList();
    }

    private static Stream<String> versions() {
        return Generation.versions().stream().map(Generation::version);
    }

    /** Whether the dialect that reads the message finds an id in it. */
    private static boolean takesAnId(String version, String method, String params) {
        boolean isAlone = version.equals(STATELESS);
        var read = Json.raw(isAlone ? Messages.alone(params, Served.TASKS) : params);
        var session = isAlone ? null : new DialectSelector.Settled(version, Capabilities.NONE);
        return DIALECTS.select(session, RequestHeaders.NONE, method, read) instanceof Selection.Use use
                && use.dialect().decode(method, read) instanceof Decoded.Good(var call)
                && call.toString().contains(ID);
    }

    /** All that looks like a method among the constants of the dialects, whatever they were put together from. */
    private static Set<String> methods() throws IOException, URISyntaxException {
        var code = Path.of(Dialect.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        if (Files.isDirectory(code)) {
            return methods(code);
        }
        try (var jar = FileSystems.newFileSystem(code)) {
            return methods(jar.getPath("/"));
        }
    }

    private static Set<String> methods(Path classes) throws IOException {
        var methods = new TreeSet<String>();
        try (var files = Files.walk(classes.resolve("io/longhaul/protocol/dialect"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                Pattern.compile("[a-z.]+(?:/[a-z]+)+")
                        .matcher(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .results()
                        .forEach(found -> methods.add(found.group()));
            }
        }
        return methods;
    }

    /** A new method is found here by what its dialect reads, and wants its messages above. */
    @Test
    void no_method_that_takes_an_id_is_left_out() throws Exception {
        var all = "{\"taskId\":\"ID\",\"token\":\"ID\",\"uri\":\"ID\",\"cursor\":\"ID\",\"name\":\"ID\","
                + "\"requestId\":\"ID\",\"inputResponses\":{\"q\":{}},\"notifications\":{\"taskIds\":[\"ID\"]},"
                + "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"ID\"},"
                + "\"argument\":{\"name\":\"ID\",\"value\":\"ID\"}}";
        var taking = new TreeSet<String>();
        for (var method : methods()) {
            versions()
                    .filter(version -> takesAnId(version, method, all.replace("ID", ID)))
                    .forEach(version -> taking.add(method + " of " + version));
        }
        taking.removeIf(method -> OF_ALL.contains(method.replaceFirst(" of .*", "")));
        var covered = new TreeSet<String>();
        ways().forEach(way -> covered.add(way.method() + " of " + way.version()));
        assertThat(covered).isEqualTo(taking);
    }

    @TestFactory
    List<DynamicTest> a_method_answers_for_an_id_of_another_owner_as_for_none() {
        var tests = new ArrayList<DynamicTest>();
        for (var way : ways()) {
            foreign.forEach((what, id) ->
                    tests.add(DynamicTest.dynamicTest(way + " on " + what, () -> assertSame(id, unlike(id), way))));
        }
        return tests;
    }

    @Test
    void nothing_that_another_owner_sends_changes_a_task() {
        var alice = served.handshake("2025-11-25");
        var before = alice.send("tasks/list", "{}").response();
        for (var way : ways()) {
            foreign.values().forEach(id -> answer(Served.BOB, way, id));
        }
        assertThat(alice.send("tasks/list", "{}").response()).isEqualTo(before.replace("\"id\":1", "\"id\":2"));
    }

    /** Another id of the same form. */
    private static String unlike(String id) {
        return id.substring(0, id.length() - 1) + (id.endsWith("7") ? "8" : "7");
    }

    private void assertSame(String id, String unknown, Way way) {
        assertThat(answer(Served.BOB, way, id)).isEqualTo(answer(Served.BOB, way, unknown));
    }

    /** The first message that answers, with {@code ID} in the place of the id, or the status of what has no answer. */
    private String answer(Principal caller, Way way, String id) {
        var params = way.params().apply(id);
        var reply = way.version().equals(STATELESS)
                ? sent(served.stateless(way.method().equals("tools/call") ? PLAIN : Served.TASKS, caller), way, params)
                : sent(served.handshake(way.version(), caller), way, params);
        return way.isNotification() ? "" + reply.status() : reply.nextMessage().replace(id, "ID");
    }

    private static MemoryReply sent(Served.Stateless client, Way way, String params) {
        return way.isNotification() ? client.tell(way.method(), params) : client.send(way.method(), params);
    }

    private static MemoryReply sent(Served.Handshake client, Way way, String params) {
        return way.isNotification()
                ? client.post(Served.notification(way.method(), params))
                : client.send(way.method(), params);
    }

    @Test
    void a_name_that_another_owner_has_chosen_is_as_free_as_any() {
        assertSame("named-1", "named-2", new Way("2025-06-18", "tools/call", id -> augmented("waits", "{}", id)));
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

    /** Tokens that the server has sealed for Alice, against tokens of the same form that the server never gave out. */
    @Test
    void what_the_server_has_sealed_for_another_owner_answers_as_what_it_never_gave_out() {
        var call = Served.call("first", "{}");
        var state = served.stateless(Served.TASKS)
                .ask("tools/call", call)
                .at("/result/requestState")
                .asString();
        assertThat(state).isNotEmpty();
        assertSame(state, unlike(state), new Way(STATELESS, "tools/call", id -> Served.and(call, answered(id))));
        var speaks = Served.call("speaks", "{}");
        var token = served.handshake("2025-06-18", ResumeTokensTest.KNOWS)
                .ask("tools/call", speaks)
                .at("/result/nextResumeToken")
                .asString();
        assertThat(token).isNotEmpty();
        for (var version : List.of("2025-06-18", STATELESS)) {
            assertSame(token, unlike(token), new Way(version, "tools/call", id -> ResumeTokensTest.resume(speaks, id)));
        }
    }

    private static String answered(String state) {
        return "\"inputResponses\":{\"who\":{\"action\":\"accept\",\"content\":{\"name\":\"Eve\"}}},"
                + "\"requestState\":\"" + state + "\"";
    }

    @Test
    void an_event_of_another_owner_answers_as_one_that_never_was() {
        var event = served.handshake("2025-11-25")
                .send("tools/call", Served.call("waits", "{}"))
                .next()
                .orElseThrow()
                .id();
        var answers = Stream.of(event, unlike(event))
                .map(id -> served.handshake("2025-11-25", Served.BOB).resume(id))
                .toList();
        assertThat(answers).extracting(MemoryReply::status).containsExactly(400, 400);
        assertThat(answers.getFirst().response()).isEqualTo(answers.getLast().response());
    }

    /**
     * Without this, a method that its generation does not have would answer all alike. Some methods tell nothing apart
     * at once: those of subscriptions take any address, {@code tools/async/get} waits for the end of a task, a list
     * goes on behind any id, and a notification has no answer.
     */
    @TestFactory
    List<DynamicTest> the_owner_gets_another_answer_for_one_of_the_ids_than_for_none() {
        var alike = Set.of(
                "resources/subscribe",
                "resources/unsubscribe",
                "tools/async/get",
                "tasks/list",
                "io.longhaul/tasks/list",
                "io.longhaul/tasks/purge");
        return ways().stream()
                .filter(way -> !alike.contains(way.method()) && !way.isNotification())
                .map(way -> DynamicTest.dynamicTest(way.toString(), () -> assertOwnerTellsApart(way)))
                .toList();
    }

    /** With tasks that no other method has ended. */
    private static void assertOwnerTellsApart(Way way) {
        var fresh = new ForeignTasksTest();
        try (fresh.served) {
            assertThat(fresh.foreign.values())
                    .anySatisfy(id -> assertThat(fresh.answer(Served.ALICE, way, id))
                            .isNotEqualTo(fresh.answer(Served.ALICE, way, unlike(id))));
        }
    }
}

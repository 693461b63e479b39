// SPDX-License-Identifier: Apache-2.0
package io.longhaul.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Real processes: a host opens several windows on one data folder, and one of them dies. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@DisabledOnOs(OS.WINDOWS)
final class TwoWindowsTest {

    private static final String TOOLS = """
        name: shared
        tools:
          gated:
            input: {gate: string, ledger: string}
            command: [sh, -c, 'echo ran >>"$2"; echo "STEP 1/2"; cat "$1"', gated, "{gate}", "{ledger}"]
            progress: 'STEP (?<current>\\d+)/(?<total>\\d+)'
          asking:
            input: {word: string}
            elicit:
              key: name
              message: "Who?"
              fields: {who: string}
            command: [echo, "{word}", "{name.who}"]
          brief:
            quick: true
            input: {gate: string, ledger: string}
            # Notes the shell of the job for each run.
            command: [sh, -c, 'echo "$PPID" >>"$2"; cat "$1"', brief, "{gate}", "{ledger}"]
        """;

    private static final String ACCEPTED = "{'action':'accept','content':{'who':'World'}}";

    @TempDir
    Path folder;

    private final List<HostWindow> windows = new ArrayList<>();
    private Path gate;
    private Path ledger;
    private String arguments;

    @BeforeEach
    void prepare() throws Exception {
        Files.writeString(folder.resolve("tools.yaml"), TOOLS);
        gate = fifo("gate");
        ledger = folder.resolve("ledger");
        arguments = arguments(gate);
    }

    private Path fifo(String name) throws Exception {
        Path path = folder.resolve(name);
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
        return path;
    }

    private String arguments(Path gate) {
        return "{'gate':'" + gate + "','ledger':'" + ledger + "'}";
    }

    @AfterEach
    void closeAll() throws InterruptedException {
        for (HostWindow window : windows) {
            window.close();
        }
    }

    @Test
    void a_call_of_the_second_window_is_answered_once_though_the_first_one_is_killed() throws Exception {
        HostWindow first = open();
        HostWindow second = open();
        second.call(7, "gated", arguments);
        second.hear("notifications/progress");
        first.kill();
        openGate("done");
        assertThat(second.result(7)).contains("done");
        second.send("{'jsonrpc':'2.0','id':8,'method':'tools/list'}");
        assertThat(second.response(8).at("/result/tools/0/name").asString()).isEqualTo("gated");
        assertThat(second.count(message -> message.path("id").asInt(-1) == 7)).isOne();
        assertThat(second.count(message -> message.path("method").asString("").equals("notifications/progress")))
                .isOne();
        assertThat(Files.readAllLines(ledger)).containsExactly("ran");
    }

    @Test
    void sighup_at_any_window_has_the_one_that_serves_read_the_file_again() throws Exception {
        HostWindow first = open();
        HostWindow second = open();
        second.said("another process serves");
        Files.writeString(folder.resolve("tools.yaml"), TOOLS + "  late: {command: [echo, late]}\n");
        second.signal("HUP");
        assertThat(second.said("the process that serves")).contains("has read the file again");
        assertThat(first.said("was read again")).contains("tools +late");
        second.call(7, "late", "{}");
        assertThat(second.result(7)).contains("late");
    }

    @Test
    void of_two_windows_that_lose_their_server_one_serves_the_other() throws Exception {
        HostWindow first = open();
        HostWindow second = open();
        HostWindow third = open();
        second.call(7, "gated", arguments);
        second.hear("notifications/progress");
        third.call(7, "asking", "{'word':'Hello'}");
        var question = third.hear("elicitation/create");
        first.kill();
        third.send(answer(question));
        openGate("done");
        assertThat(second.result(7)).contains("done");
        assertThatHasGreetedOnce(third, 7);
    }

    @Test
    void an_answer_that_its_server_was_killed_over_is_not_lost_and_nobody_is_asked_twice() throws Exception {
        HostWindow first = open();
        HostWindow second = open();
        second.call(7, "asking", "{'word':'Hello'}");
        assertThatAnswerOutlivesServer(first, second, 7);
    }

    @Test
    void an_answer_to_the_question_of_a_task_is_not_lost_though_its_server_was_killed_over_it() throws Exception {
        HostWindow first = open();
        HostWindow second = open("2025-11-25");
        second.send("{'jsonrpc':'2.0','id':7,'method':'tools/call','params':{'name':'asking','task':{},"
                + "'arguments':{'word':'Hello'}}}");
        var task = second.response(7).at("/result/task/taskId").asString();
        second.send("{'jsonrpc':'2.0','id':8,'method':'tasks/result','params':{'taskId':'" + task + "'}}");
        assertThatAnswerOutlivesServer(first, second, 8);
    }

    @Test
    void the_round_of_a_call_that_brings_an_answer_is_not_lost_though_its_server_was_killed_over_it() throws Exception {
        HostWindow first = open();
        HostWindow second = start("--stdio");
        second.send(round(7, ""));
        var asked = second.response(7).path("result");
        String key = asked.path("inputRequests").propertyNames().iterator().next();
        killAfter(
                first,
                second,
                8,
                round(
                        8,
                        ",'requestState':" + asked.get("requestState") + ",'inputResponses':{'" + key + "':" + ACCEPTED
                                + "}"));
        assertThat(second.result(8)).contains("Hello World");
    }

    private static String round(int id, String answers) {
        return "{'jsonrpc':'2.0','id':" + id + ",'method':'tools/call','params':{'name':'asking','arguments':{'word':"
                + "'Hello'},'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                + "'io.modelcontextprotocol/clientCapabilities':{'elicitation':{}}}" + answers + "}}";
    }

    /** Freezes the server, sends it a message, and kills it once the window has sent the message on. */
    private static void killAfter(HostWindow server, HostWindow window, int open, String message) throws Exception {
        server.freeze();
        window.send(message);
        // The window itself refuses a second request under an open id, after what came before.
        window.send("{'jsonrpc':'2.0','id':" + open + ",'method':'ping'}");
        assertThat(window.response(open).at("/error/message").asString()).contains("still being answered");
        server.kill();
    }

    @Test
    void a_question_that_its_server_was_killed_over_stands_and_is_answered_once() throws Exception {
        HostWindow first = open();
        HostWindow second = open();
        second.call(7, "asking", "{'word':'Hello'}");
        var question = second.hear("elicitation/create");
        first.kill();
        second.said("this process serves");
        second.send(answer(question));
        assertThatHasGreetedOnce(second, 7);
    }

    /** Answers the next question of a call while the server dies. */
    private static void assertThatAnswerOutlivesServer(HostWindow server, HostWindow window, int id) throws Exception {
        var question = window.hear("elicitation/create");
        killAfter(server, window, id, answer(question));
        assertThatHasGreetedOnce(window, id);
    }

    private static String answer(JsonNode question) {
        return "{'jsonrpc':'2.0','id':" + question.get("id") + ",'result':" + ACCEPTED + "}";
    }

    private static void assertThatHasGreetedOnce(HostWindow window, int id) throws IOException {
        assertThat(window.result(id)).contains("Hello World");
        assertThat(window.count(message -> message.path("method").asString("").equals("elicitation/create")))
                .isOne();
        assertThat(window.count(message -> message.path("method").asString("").equals("notifications/cancelled")))
                .as("a question of a task is not taken back")
                .isZero();
    }

    @Test
    void a_window_that_is_closed_hands_the_folder_over_and_waits_for_the_quick_calls_of_others() throws Exception {
        HostWindow first = open();
        HostWindow second = open();
        Path later = fifo("later");
        second.call(7, "brief", arguments);
        second.call(9, "gated", arguments(later));
        second.hear("notifications/progress");
        var leaving = Thread.ofVirtual().start(() -> {
            try {
                first.leave();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        openGate("done");
        assertThat(second.result(7)).isNotNull();
        leaving.join();
        Files.writeString(later, "done");
        assertThat(second.response(9).has("result")).isTrue();
        second.said("this process serves");
    }

    @Test
    void a_quick_call_that_died_with_its_server_is_not_run_again() throws Exception {
        HostWindow first = open();
        HostWindow second = open();
        second.call(7, "brief", arguments);
        openGate("");
        assertThat(second.response(7).has("result")).isTrue();
        second.call(8, "brief", arguments);
        // The gate opens for writing when the command reads from it.
        try (var writer = Files.newBufferedWriter(gate)) {
            first.kill();
            assertThat(second.response(8).at("/error/message").asString()).contains("not started again");
        }
        var shells = Files.readAllLines(ledger);
        assertThat(shells).hasSize(2);
        // What a job still writes would be in the way of those who delete the folder.
        ProcessHandle.of(Long.parseLong(shells.getLast()))
                .ifPresent(shell -> shell.onExit().join());
    }

    @Test
    void a_server_over_http_serves_windows_too_and_a_second_one_over_http_is_refused() throws Exception {
        HostWindow http = start("--http", "0");
        http.said("tasks are kept");
        HostWindow window = open();
        HostWindow other = start("--http", "0");
        assertThat(other.said("in use by")).contains("process");
        assertThat(other.exitCode()).isEqualTo(4);
        http.kill();
        window.send("{'jsonrpc':'2.0','id':8,'method':'tools/list'}");
        assertThat(window.response(8).at("/result/tools/0/name").asString()).isEqualTo("gated");
    }

    @Test
    void a_window_with_other_tools_is_refused_with_the_reason() throws Exception {
        open();
        Files.writeString(folder.resolve("tools.yaml"), TOOLS + "  # changed\n");
        HostWindow other = HostWindow.open(folder.resolve("tools.yaml"), folder.resolve("data"));
        windows.add(other);
        assertThat(other.said("in use")).contains("as it was before the file was changed");
        assertThat(other.exitCode()).isEqualTo(4);
    }

    private HostWindow open() throws IOException {
        return open("2025-06-18");
    }

    private HostWindow open(String version) throws IOException {
        HostWindow window = start("--stdio");
        window.initialize(version, "{'elicitation':{}}");
        return window;
    }

    private HostWindow start(String... options) throws IOException {
        var window = HostWindow.open(folder.resolve("tools.yaml"), folder.resolve("data"), options);
        windows.add(window);
        return window;
    }

    /** Blocks until a command reads from the gate. */
    private void openGate(String text) throws IOException {
        Files.writeString(gate, text);
    }
}

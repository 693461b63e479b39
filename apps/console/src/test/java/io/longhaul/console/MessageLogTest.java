// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryConnection;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.testkit.talk.Messages;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a log of messages keeps, whoever speaks in which generation. */
@Timeout(60)
class MessageLogTest {

    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

    private final List<LoggedMessage> told = Collections.synchronizedList(new ArrayList<>());
    private final MessageLog log = new MessageLog(InstantSource.fixed(NOW), "pin"::equals, told::add);
    private final MemoryTransport transport = new MemoryTransport();

    @AutoClose
    private final McpServer server = McpServer.builder("s", "1")
            .monitor(log)
            .store(new MemoryTaskStore())
            .tool(Tool.define("echo").description("d").handler((input, call) -> input.toString()))
            .tool(Tool.define("slow").description("d").longRunning().handler((input, task) -> {
                task.progress(1, 2, "half");
                return "done";
            }))
            .tool(Tool.define("approved").description("d").longRunning().handler((input, task) -> {
                task.approve("Go on?");
                return "done";
            }))
            .serve(transport);

    private MemoryConnection connected(String version, String capabilities) {
        var connection = transport.connect(Principal.LOCAL);
        connection.send(Messages.request(
                0,
                "initialize",
                "{\"protocolVersion\":\"%s\",\"capabilities\":%s,\"clientInfo\":{\"name\":\"ide\",\"version\":\"1\"}}"
                        .formatted(version, capabilities)));
        connection.next();
        connection.send(Messages.notification("notifications/initialized", "{}"));
        told.clear();
        return connection;
    }

    /** The messages as lines: direction, what, tool, and whether the task is known. */
    private List<String> lines() {
        return told.stream()
                .map(one -> (one.isIncoming() ? "> " : "< ")
                        + one.what()
                        + ' '
                        + one.request().tool()
                        + ' '
                        + (one.request().task() == null ? "-" : "task"))
                .toList();
    }

    /** Reads until the answer to a request, and gives all messages. */
    private static List<String> until(int id, MemoryConnection connection) {
        var all = new ArrayList<String>();
        do {
            all.add(connection.next());
        } while (!Messages.read(all.getLast()).path("id").toString().equals(String.valueOf(id))
                || Messages.read(all.getLast()).has("method"));
        return all;
    }

    @Test
    void all_messages_of_a_plain_call_are_about_its_task_although_none_of_them_names_it() {
        var connection = connected("2025-06-18", "{}");
        connection.send(Messages.request(
                1, "tools/call", Messages.and(Messages.call("slow", "{}"), "\"_meta\":{\"progressToken\":\"p\"}")));
        until(1, connection);
        assertThat(lines())
                .containsExactly(
                        "> tools/call slow task",
                        "< notifications/progress slow task",
                        "< result of tools/call slow task");
        assertThat(told).allMatch(one -> one.request().client().name().equals("ide"));
    }

    @Test
    void a_task_by_the_id_of_its_client_is_the_task_of_the_server() {
        var connection = connected("2025-06-18", "{}");
        var alias = "\"modelcontextprotocol.io/task\":{\"taskId\":\"mine\"}";
        connection.send(Messages.request(
                1, "tools/call", Messages.and(Messages.call("approved", "{}"), "\"_meta\":{" + alias + "}")));
        while (told.stream().noneMatch(one -> one.what().equals("notifications/tasks/created"))) {
            connection.next();
        }
        told.clear();
        connection.send(Messages.request(2, "tasks/get", "{\"taskId\":\"mine\"}"));
        until(2, connection);
        assertThat(lines()).contains("> tasks/get approved task", "< result of tasks/get approved task");
        assertThat(told.getLast().request().task()).isNotEqualTo("mine").hasSize(36);
    }

    @Test
    void a_question_and_its_answer_belong_to_the_call() {
        var connection = connected("2025-06-18", "{\"elicitation\":{}}");
        connection.send(Messages.request(1, "tools/call", Messages.call("approved", "{}")));
        var question = Messages.read(connection.next());
        connection.send(Messages.response(question.path("id"), "{\"action\":\"accept\",\"content\":{}}"));
        until(1, connection);
        assertThat(lines())
                .containsExactly(
                        "> tools/call approved task",
                        "< elicitation/create approved task",
                        "> result of elicitation/create approved task",
                        "< result of tools/call approved task");
    }

    @Test
    void messages_of_a_session_over_http_have_the_client_that_opened_it() {
        var opened = transport.post(Principal.LOCAL, Messages.request(0, "initialize", """
            {"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"web","version":"1"}}\
            """), Map.of());
        var session = Map.of("Mcp-Session-Id", opened.header("Mcp-Session-Id").orElseThrow());
        told.clear();
        transport
                .post(Principal.LOCAL, Messages.request(1, "tools/call", Messages.call("echo", "{}")), session)
                .next();
        assertThat(lines()).containsExactly("> tools/call echo -", "< result of tools/call echo -");
        assertThat(told).allMatch(one -> one.request().client().toString().matches("web #.{4}"));
        told.clear();
        var batch = "[" + Messages.request(2, "ping", "{}") + ","
                + Messages.request(3, "tools/call", Messages.call("echo", "{}")) + "]";
        transport.post(Principal.LOCAL, batch, session).next();
        assertThat(lines())
                .containsExactlyInAnyOrder(
                        "> ping null -",
                        "> tools/call echo -",
                        "< result of ping null -",
                        "< result of tools/call echo -");
    }

    @Test
    void messages_on_the_stream_of_a_session_are_logged_too() {
        var connection = connected("2025-06-18", "{}");
        server.addTool(Tool.define("new").description("d").handler((input, call) -> "done"));
        assertThat(connection.next()).contains("notifications/tools/list_changed");
        assertThat(lines()).containsExactly("< notifications/tools/list_changed null -");
        assertThat(told.getLast().request().client().name()).isEqualTo("ide");
    }

    @Test
    void the_console_is_logged_where_it_acts_for_a_person_and_not_where_it_looks() {
        var console = "{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"longhaul-console\",\"version\":\"1\"},"
                + "\"io.modelcontextprotocol/clientCapabilities\":{}}";
        for (var request : List.of(
                Messages.request(1, "tools/list", "{\"_meta\":" + console + "}"),
                Messages.request(2, "tools/call", Messages.and(Messages.call("echo", "{}"), "\"_meta\":" + console)))) {
            transport
                    .post(Principal.LOCAL, request, Messages.headers(Messages.read(request)))
                    .next();
        }
        assertThat(lines()).containsExactly("> tools/call echo -", "< result of tools/call echo -");
    }

    private LoggedMessage logged(String message) {
        log.received(message.getBytes(UTF_8), "");
        return told.getLast();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"arguments\":{\"password\":\"geheim12\"}} | {\"arguments\":{\"password\":\"***\"}}",
                "{\"api_key\":\"k\",\"clientSecret\":[\"a\",2]} |"
                        + " {\"api_key\":\"***\",\"clientSecret\":[\"***\",\"***\"]}",
                "{\"pin\":1234} | {\"pin\":\"***\"}",
                "{\"nextResumeToken\":\"r\",\"requestState\":\"s\"} |"
                        + " {\"nextResumeToken\":\"***\",\"requestState\":\"***\"}",
                "{\"_meta\":{\"progressToken\":\"p\"},\"maxTokens\":9} |"
                        + " {\"_meta\":{\"progressToken\":\"p\"},\"maxTokens\":9}",
                "{\"properties\":{\"token\":{\"type\":\"string\"}}} |"
                        + " {\"properties\":{\"token\":{\"type\":\"string\"}}}",
                "{\"text\":\"Authorization: Bearer abc.def\"} | {\"text\":\"Authorization: Bearer ***\"}",
                "{\"mode\":\"url\",\"url\":\"https://b.example/pay?key=1\"} |"
                        + " {\"mode\":\"url\",\"url\":\"https://b.example/pay?***\"}",
                "{\"url\":\"https://b.example/?q=1\", \"n\":1.10} | {\"url\":\"https://b.example/?q=1\",\"n\":1.10}",
            })
    void secrets_are_masked_and_all_else_stays_as_it_is(String params, String shown) {
        var message = logged("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":" + params + "}");
        assertThat(message.body().text()).isEqualTo("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":" + shown + "}");
    }

    @Test
    void a_secret_is_masked_wherever_it_comes_back() {
        logged("{\"method\":\"m\",\"params\":{\"password\":\"geheim-1234\",\"pin\":7}}");
        var back = logged("{\"method\":\"m\",\"params\":{\"text\":\"Logged in with geheim-1234 at 7\"}}");
        assertThat(back.body().text()).contains("Logged in with *** at 7");
    }

    @Test
    void text_that_is_no_json_is_not_shown() {
        var broken = logged("{\"password\":\"geheim\"");
        assertThat(broken.what()).isEqualTo("no JSON");
        assertThat(broken.body()).isEqualTo(new LoggedMessage.Body("", 20, true));
    }

    @Test
    void a_long_message_is_cut_without_the_beginning_of_a_secret() {
        logged("{\"method\":\"m\",\"params\":{\"password\":\"geheim-1234\"}}");
        var start = "{\"method\":\"m\",\"params\":{\"text\":\"";
        var text = "x".repeat(MessageLog.LONGEST - start.length() - 6) + "geheim-1234";
        var message = logged(start + text + "\"}}");
        assertThat(message.body().isCut()).isTrue();
        assertThat(message.body().bytes()).isGreaterThan(MessageLog.LONGEST);
        assertThat(message.body().text()).hasSize(MessageLog.LONGEST - 6 + 3).endsWith("x***");
    }

    @Test
    void the_newest_messages_are_kept_by_number_and_by_size() {
        for (int i = 0; i < MessageLog.MOST + 5; i++) {
            logged("{\"method\":\"m" + i + "\"}");
        }
        assertThat(log.after(0)).hasSize(MessageLog.MOST);
        assertThat(log.after(0).getFirst().what()).isEqualTo("m5");
        var last = log.after(0).getLast().number();
        assertThat(log.after(last)).isEmpty();
        var large = "{\"method\":\"large\",\"params\":\"" + "x".repeat(MessageLog.LONGEST) + "\"}";
        for (int i = 0; i < 200; i++) {
            logged(large);
        }
        assertThat(log.after(0)).hasSize(MessageLog.MOST_CHARACTERS / MessageLog.LONGEST);
    }

    @Test
    void numbers_go_on_after_a_restart() {
        var first = logged("{\"method\":\"m\"}").number();
        var later = new MessageLog(InstantSource.fixed(NOW.plusSeconds(1)), name -> false, told::add);
        later.received("{}".getBytes(UTF_8), "");
        assertThat(told.getLast().number()).isGreaterThan(first + 1_000);
    }
}

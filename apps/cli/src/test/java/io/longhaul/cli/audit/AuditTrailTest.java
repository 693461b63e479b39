// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.file.settings.Recording;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.observe.CallStatus;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.server.CallInterceptor;
import io.longhaul.server.McpException;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class AuditTrailTest {

    private static final ObservedCaller ALICE = new ObservedCaller(
            new Principal("https://issuer alice", Principal.Kind.AUTHORIZED), "192.0.2.7", "2026-07-28");
    private static final ObservedCaller BOB =
            new ObservedCaller(new Principal("bob", Principal.Kind.AUTHORIZED), "192.0.2.8", "2025-11-25");
    private static final ObservedCaller UNKNOWN = new ObservedCaller(null, "192.0.2.9", null);

    @TempDir
    Path folder;

    /** What is written of events. */
    private List<String> written(ServerEvent... events) throws IOException {
        var lines = new ArrayList<String>();
        var clock = InstantSource.fixed(Instant.parse("2026-11-23T10:00:00Z"));
        try (var trail = new AuditTrail(
                AuditKey.in(folder),
                clock,
                bytes -> new String(bytes, UTF_8).lines().forEach(lines::add))) {
            List.of(events).forEach(trail::on);
        }
        return lines;
    }

    private static JsonNode json(String line) {
        return JsonMapper.shared().readTree(line);
    }

    @Test
    void each_thing_that_is_done_to_a_task_is_a_line() throws IOException {
        var lines = written(
                new ServerEvent.TaskCreated(ALICE, "t1", "report", ServerEvent.Way.NEW),
                new ServerEvent.ResultRead(ALICE, "t1", "report"),
                new ServerEvent.AnswerTaken(ALICE, "t1", "report"),
                new ServerEvent.TaskCancelled(ALICE, "t1", "report"),
                new ServerEvent.TaskDeleted(ALICE, "t1", "report"),
                new ServerEvent.Refused(ALICE, Rule.UNKNOWN_ID, "t1", null),
                new ServerEvent.AccessDenied(UNKNOWN, 401),
                new ServerEvent.PatternSeen(ALICE, ServerEvent.Pattern.UNKNOWN_IDS, 50, Duration.ofMinutes(5)),
                new ServerEvent.NoticeGivenUp(ALICE, "t1", "ops", 7),
                new ServerEvent.CallEnded(ALICE, "report", "t1", CallStatus.RESULT, Duration.ZERO));
        assertThat(lines)
                .extracting(line -> json(line).path("event").asString())
                .containsExactly(
                        "created",
                        "read",
                        "answered",
                        "cancelled",
                        "deleted",
                        "refused",
                        "denied",
                        "pattern",
                        "untold");
        assertThat(lines.getLast()).contains("\"recipient\":\"ops\",\"tries\":7");
        var first = json(lines.getFirst());
        assertThat(first.path("time").asString()).isEqualTo("2026-11-23T10:00:00Z");
        assertThat(first.path("tool").asString()).isEqualTo("report");
        assertThat(first.path("generation").asString()).isEqualTo("2026-07-28");
        assertThat(first.path("address").asString()).isEqualTo("192.0.2.7");
        assertThat(json(lines.get(6)).path("status").asInt()).isEqualTo(401);
    }

    @Test
    void owners_and_tasks_are_marks_that_join_lines_and_give_nothing_away() throws IOException {
        var id = "00d331e5005gp07l4pn382231n4khg2pp436";
        var lines = written(
                new ServerEvent.ResultRead(ALICE, id, "report"),
                new ServerEvent.ResultRead(BOB, id, "report"),
                new ServerEvent.ResultRead(ALICE, "another", "report"));
        assertThat(String.join("", lines)).doesNotContain(id, "alice", "bob");
        assertThat(mark(lines, 0, "task")).matches("[0-9a-f]{16}").isEqualTo(mark(lines, 1, "task"));
        assertThat(mark(lines, 0, "task")).isNotEqualTo(mark(lines, 2, "task"));
        assertThat(mark(lines, 0, "owner")).isEqualTo(mark(lines, 2, "owner")).isNotEqualTo(mark(lines, 1, "owner"));
        assertThat(written(new ServerEvent.ResultRead(ALICE, id, "report")))
                .as("after a restart")
                .containsExactly(lines.getFirst());
        Files.delete(folder.resolve(AuditKey.FILE));
        assertThat(written(new ServerEvent.ResultRead(ALICE, id, "report")))
                .as("with another key")
                .doesNotContain(lines.getFirst());
    }

    private static String mark(List<String> lines, int line, String field) {
        return json(lines.get(line)).path(field).asString();
    }

    @Test
    void text_of_strangers_makes_no_lines_and_moves_no_cursor() throws IOException {
        var evil = "a\nb\u001b[2J\u202e\u2028\"}" + "x".repeat(100_000);
        var lines = written(new ServerEvent.Refused(ALICE, Rule.UNKNOWN_TOOL, null, evil));
        assertThat(lines).singleElement().satisfies(line -> {
            assertThat(line).hasSizeLessThan(600).doesNotContain("\u001b", "\u202e", "\u2028");
            assertThat(json(line).path("tool").asString()).startsWith("a\nb\u001b[2J\u202e\u2028\"}xxx");
        });
    }

    @Test
    void the_file_is_beside_the_tasks_and_the_lines_of_one_task_are_found_by_its_id() throws IOException {
        try (var trail = AuditTrail.in(folder, Recording.DEFAULT.audit()).orElseThrow()) {
            trail.on(new ServerEvent.ResultRead(ALICE, "t1", "report"));
            trail.on(new ServerEvent.ResultRead(BOB, "t2", "report"));
        }
        var user = TestTerminal.silent();
        assertThat(new Cli(user.terminal()).run(List.of("audit", folder.toString(), "--task", "t2")))
                .isZero();
        assertThat(user.out().lines()).singleElement().asString().contains("192.0.2.8");
        var other = TestTerminal.silent();
        assertThat(new Cli(other.terminal()).run(List.of("audit", folder.toString(), "--owner", "bob")))
                .isZero();
        assertThat(other.out()).isEqualTo(user.out());
        assertThat(new Cli(other.terminal()).run(List.of("audit", folder.toString())))
                .isEqualTo(ExitCode.USAGE);
        assertThat(other.err()).contains("add --task ID or --owner NAME");
    }

    @Test
    void a_line_that_was_cut_within_a_character_hides_no_later_line() throws IOException {
        var file = folder.resolve(AuditTrail.FILE);
        Files.write(file, new byte[] {'{', (byte) 0xc3, '\n'});
        try (var trail = AuditTrail.in(folder, Recording.DEFAULT.audit()).orElseThrow()) {
            trail.on(new ServerEvent.ResultRead(ALICE, "t1", "report"));
        }
        var user = TestTerminal.silent();
        assertThat(new Cli(user.terminal()).run(List.of("audit", folder.toString(), "--task", "t1")))
                .isZero();
        assertThat(user.out().lines()).singleElement().asString().contains("192.0.2.7");
    }

    @Test
    void a_log_that_is_not_there_is_told_with_what_to_do() throws IOException {
        AuditKey.in(folder);
        var user = TestTerminal.silent();
        assertThat(new Cli(user.terminal()).run(List.of("audit", folder.toString(), "--task", "t1")))
                .isEqualTo(ExitCode.CONNECTION);
        assertThat(user.err())
                .isEqualToIgnoringNewLines(
                        "longhaul: there is no audit log " + folder.resolve(AuditTrail.FILE) + ": name it with --file");
    }

    @Test
    void a_call_that_an_interceptor_does_not_take_is_a_refusal_in_the_file() throws IOException {
        var transport = new MemoryTransport();
        try (var trail = AuditTrail.in(folder, Recording.DEFAULT.audit()).orElseThrow();
                var server = McpServer.builder("test", "1.0")
                        .tool(Tool.define("report").handler((none, call) -> "done"))
                        .intercept(new Doorkeeper())
                        .observer(trail)
                        .serve(transport)) {
            var reply = transport.post(
                    Objects.requireNonNull(ALICE.principal()),
                    """
                    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report","_meta":{
                    "io.modelcontextprotocol/protocolVersion":"2026-07-28",
                    "io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},
                    "io.modelcontextprotocol/clientCapabilities":{}}}}""",
                    Map.of("MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "report"));
            assertThat(reply.response()).contains("No more today");
        }
        assertThat(Files.readString(folder.resolve(AuditTrail.FILE)).lines())
                .singleElement()
                .satisfies(line -> {
                    assertThat(json(line).path("event").asString()).isEqualTo("refused");
                    assertThat(json(line).path("rule").asString()).isEqualTo("not-admitted");
                    assertThat(json(line).path("tool").asString()).isEqualTo("report");
                });
    }

    /** Takes no call. */
    private static final class Doorkeeper implements CallInterceptor {
        @Override
        public void around(HandledCall call, Next next) throws Exception {
            next.proceed();
        }

        @Override
        public void admit(CallerInfo caller, String tool) {
            throw new McpException(-32050, "No more today");
        }
    }

    @Test
    void a_file_that_has_grown_to_the_size_that_its_owner_wants_is_renamed() throws IOException {
        var audit = new Recording.Audit(true, new Recording.Files(Optional.empty(), 200, 2));
        for (var task : List.of("t1", "t2")) {
            try (var trail = AuditTrail.in(folder, audit).orElseThrow()) {
                trail.on(new ServerEvent.ResultRead(ALICE, task, "report"));
            }
        }
        assertThat(folder.resolve("audit.log.1")).content().hasLineCount(1);
        assertThat(folder.resolve("audit.log")).content().hasLineCount(1);
    }

    @Test
    void no_file_is_written_where_none_is_wanted() throws IOException {
        assertThat(AuditTrail.in(
                        folder,
                        new Recording.Audit(false, Recording.DEFAULT.audit().files())))
                .isEmpty();
        assertThat(folder).isEmptyDirectory();
    }
}

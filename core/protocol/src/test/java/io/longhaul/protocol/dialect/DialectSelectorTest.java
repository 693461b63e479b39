// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.ClientProfile.SamplingExtras;
import io.longhaul.protocol.call.ClientProfile.Takes;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DialectSelectorTest {

    private static final String VERSION = "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"";
    private static final String CAPABILITIES = "\"io.modelcontextprotocol/clientCapabilities\":{}";
    private static final String TASKS = "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{},"
            + "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";
    private static final DialectSelector SELECTOR = new DialectSelector("reports", "1.0");

    private static String select(@Nullable String session, RequestHeaders headers, String method, String params) {
        var settled = session == null ? null : new DialectSelector.Settled(session, Capabilities.NONE);
        return switch (SELECTOR.select(settled, headers, method, Json.raw(params))) {
            case Selection.Use use -> use.dialect().name();
            case Selection.NeedsSession needs -> "needs a session";
            case Selection.Refuse(var error, var status) -> status + " " + JsonRpcCodec.encode(error);
        };
    }

    private static String params(String meta, String more) {
        return "{" + more + "\"_meta\":{" + meta + "}}";
    }

    private static RequestHeaders http(String... pairs) {
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        for (var i = 0; i < pairs.length; i += 2) {
            headers.put(pairs[i], pairs[i + 1]);
        }
        return new RequestHeaders(true, name -> Optional.ofNullable(headers.get(name)), prefix -> Optional.empty());
    }

    private static RequestHeaders modern(String... more) {
        var pairs = new String[more.length + 2];
        pairs[0] = "mcp-protocol-version";
        pairs[1] = "2026-07-28";
        System.arraycopy(more, 0, pairs, 2, more.length);
        return http(pairs);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            quoteCharacter = '`',
            value = {
                "2025-11-25|tools/call|{\"name\":\"a\"}|plain-2025-11-25",
                "2025-11-25|tools/call|{\"name\":\"a\",\"task\":{}}|tasks-2025-11-25",
                "2025-11-25|tools/list|{}|tasks-2025-11-25",
                "2025-11-25|tasks/get|{\"taskId\":\"t\"}|tasks-2025-11-25",
                "2025-06-18|tools/call|{\"name\":\"a\",\"task\":{}}|plain-2025-06-18",
                "2025-06-18|tasks/get|{\"taskId\":\"t\"}|sep-1686-2025-06-18",
                "2025-06-18|tasks/cancel|{\"taskId\":\"t\"}|plain-2025-06-18",
                "2025-11-25|tasks/delete|{\"taskId\":\"t\"}|sep-1686-2025-11-25",
                "2025-03-26|tools/list|{}|plain-2025-03-26",
                "2024-11-05|ping|{}|plain-2024-11-05",
                "next|tools/call|{\"name\":\"a\"}|operations-next",
                "next|tools/call|{\"name\":\"a\",\"operation\":{}}|operations-next",
                "next|tools/async/status|{\"token\":\"t\"}|operations-next",
                "next|tools/async/result|{\"token\":\"t\"}|operations-next",
                "next|resources/list|{}|operations-next",
                "next|tools/call|{\"name\":\"a\",\"_meta\":{\"modelcontextprotocol.io/task\":{}}}|sep-1686-next",
                "2025-06-18|tools/async/status|{\"token\":\"t\"}|plain-2025-06-18",
                "-|initialize|{\"protocolVersion\":\"next\"}|operations-next",
                "-|initialize|{\"protocolVersion\":\"2025-11-25\"}|tasks-2025-11-25",
                "-|initialize|{\"protocolVersion\":\"2025-03-26\"}|plain-2025-03-26",
                "-|initialize|{\"protocolVersion\":\"1999-01-01\"}|tasks-2025-11-25",
                "-|initialize|{\"protocolVersion\":\"2026-07-28\"}|tasks-2025-11-25",
                "-|initialize|{}|tasks-2025-11-25",
                "-|ping|{}|tasks-2025-11-25",
                "-|notifications/cancelled|{\"requestId\":1}|plain-2026-07-28",
                "-|tools/list|{}|needs a session",
                "-|tasks/get|{\"taskId\":\"t\"}|needs a session",
            })
    void a_session_and_a_message_choose_the_dialect(
            @Nullable String session, String method, String params, String expected) {
        assertThat(select(session, RequestHeaders.NONE, method, params)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "false|{\"name\":\"a\",\"resumeToken\":\"t\"}|resume-2025-03-26",
                "false|{\"name\":\"a\",\"_meta\":{\"resumeToken\":\"t\"}}|resume-2025-03-26",
                "false|{\"name\":\"a\"}|plain-2025-03-26",
                "true|{\"name\":\"a\"}|resume-2025-03-26",
                "true|{\"name\":\"a\",\"task\":{}}|plain-2025-03-26",
                "true|{\"name\":\"a\",\"_meta\":{\"modelcontextprotocol.io/task\":{}}}|sep-1686-2025-03-26",
            })
    void calls_with_a_token_or_of_who_takes_parts_are_answered_in_parts(boolean parts, String params, String expected) {
        var client = new Capabilities(false, false, false, false, new Takes(false, parts), SamplingExtras.NONE);
        var settled = new DialectSelector.Settled("2025-03-26", client);
        var chosen = SELECTOR.select(settled, RequestHeaders.NONE, "tools/call", Json.raw(params));
        assertThat(((Selection.Use) chosen).dialect().name()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "true,  false, nowhere, resume-2026-07-28",
        "false, false, nowhere, plain-2026-07-28",
        "false, false, params,  resume-2026-07-28",
        "false, false, meta,    resume-2026-07-28",
        "false, true,  params,  resume-2026-07-28",
        "false, true,  nowhere, tasks-2026-07-28",
        "true,  true,  nowhere, tasks-2026-07-28",
    })
    void calls_that_stand_alone_go_on_by_a_token_and_are_answered_in_parts_where_no_task_is_taken(
            boolean parts, boolean tasks, String token, String expected) {
        String can = (parts ? "\"experimental\":{\"resumeTokens\":{}}" : "\"roots\":{}")
                + (tasks ? ",\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}" : "");
        String here = ",\"resumeToken\":\"t\"";
        String call = "{\"name\":\"a\"" + (token.equals("params") ? here : "") + ",\"_meta\":{" + VERSION
                + ",\"io.modelcontextprotocol/clientCapabilities\":{" + can + "}"
                + (token.equals("meta") ? here : "") + "}}";
        assertThat(select(null, RequestHeaders.NONE, "tools/call", call)).isEqualTo(expected);
    }

    @Test
    void a_session_agrees_on_the_version_of_the_client_or_on_our_latest() {
        assertThat(SELECTOR.negotiate("2025-06-18")).isEqualTo("2025-06-18");
        assertThat(SELECTOR.negotiate("next")).isEqualTo("next");
        assertThat(SELECTOR.negotiate("2024-01-01")).isEqualTo("2025-11-25");
        assertThat(SELECTOR.negotiate("2026-07-28")).isEqualTo("2025-11-25");
    }

    @Test
    void meta_of_a_request_makes_it_stateless_even_inside_of_a_session() {
        assertThat(select("2025-11-25", RequestHeaders.NONE, "tools/list", params(VERSION + "," + CAPABILITIES, "")))
                .isEqualTo("plain-2026-07-28");
        assertThat(select(null, RequestHeaders.NONE, "initialize", params(VERSION + "," + CAPABILITIES, "")))
                .isEqualTo("plain-2026-07-28");
    }

    @Test
    void only_a_request_that_declares_the_extension_is_read_with_tasks() {
        var call = "\"name\":\"a\",";
        assertThat(select(null, RequestHeaders.NONE, "tools/call", params(VERSION + "," + TASKS, call)))
                .isEqualTo("tasks-2026-07-28");
        assertThat(select(null, RequestHeaders.NONE, "tools/call", params(VERSION + "," + CAPABILITIES, call)))
                .isEqualTo("plain-2026-07-28");
        assertThat(SELECTOR.select(
                        null, RequestHeaders.NONE, "tools/call", Json.raw(params(VERSION + "," + TASKS, call))))
                .isInstanceOfSatisfying(Selection.Use.class, use -> {
                    assertThat(use.client().capabilities().tasks()).isTrue();
                    assertThat(use.client().capabilities().form()).isTrue();
                    assertThat(use.client().capabilities().url()).isFalse();
                });
    }

    @Test
    void each_request_is_read_with_its_own_capabilities_however_many_clients_declare_others() {
        for (int request = 0; request < 400; request++) {
            int client = request % 200;
            boolean isAsked = client % 3 == 0;
            var meta = VERSION + ",\"io.modelcontextprotocol/clientCapabilities\":{\"client-" + client + "\":{}"
                    + (isAsked ? ",\"elicitation\":{}}" : "}");
            assertThat(SELECTOR.select(null, RequestHeaders.NONE, "tools/list", Json.raw(params(meta, ""))))
                    .isInstanceOfSatisfying(
                            Selection.Use.class,
                            use -> assertThat(use.client().capabilities().form())
                                    .isEqualTo(isAsked));
        }
    }

    @Test
    void a_capability_that_is_no_object_is_refused_by_its_path_each_time() {
        var meta = VERSION + ",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":1}";
        for (int i = 0; i < 2; i++) {
            assertThat(select(null, RequestHeaders.NONE, "tools/list", params(meta, "")))
                    .startsWith("400 {\"code\":-32602")
                    .contains("clientCapabilities\\\"].elicitation must be an object");
        }
    }

    @Test
    void a_stateless_request_without_its_meta_is_refused_by_the_name_of_the_key() {
        var headers = modern("Mcp-Method", "server/discover");
        assertThat(select(null, headers, "server/discover", "{}"))
                .startsWith("400 {\"code\":-32602")
                .contains("protocolVersion");
        assertThat(select(null, headers, "server/discover", params(CAPABILITIES, "")))
                .startsWith("400 {\"code\":-32602")
                .contains("protocolVersion");
        assertThat(select(null, headers, "server/discover", params(VERSION, "")))
                .startsWith("400 {\"code\":-32602")
                .contains("clientCapabilities");
    }

    @Test
    void a_stateless_request_with_an_unknown_log_level_is_refused_whatever_its_method() {
        var meta = VERSION + "," + CAPABILITIES + ",\"io.modelcontextprotocol/logLevel\":\"loud\"";
        for (var method : List.of("tools/list", "tools/call", "subscriptions/listen", "server/discover")) {
            assertThat(select(null, RequestHeaders.NONE, method, params(meta, "")))
                    .as(method)
                    .startsWith("400 {\"code\":-32602")
                    .contains("logLevel");
        }
    }

    @Test
    void an_unknown_version_is_refused_with_those_that_there_are() {
        var meta = "\"io.modelcontextprotocol/protocolVersion\":\"v999.0.0\"," + CAPABILITIES;
        assertThat(select(null, http("MCP-Protocol-Version", "v999.0.0"), "tools/list", params(meta, "")))
                .startsWith("400 {\"code\":-32022")
                .contains("\"supported\":[\"2026-07-28\",\"2025-11-25\"", "\"requested\":\"v999.0.0\"");
        assertThat(select("2025-11-25", http("MCP-Protocol-Version", "v999.0.0"), "tools/list", "{}"))
                .startsWith("400 {\"code\":-32022");
    }

    @Test
    void an_older_header_without_meta_is_for_a_session() {
        assertThat(select(null, http("MCP-Protocol-Version", "2025-11-25"), "tools/list", "{}"))
                .isEqualTo("needs a session");
        assertThat(select("2025-11-25", http("MCP-Protocol-Version", "2025-11-25"), "tools/list", "{}"))
                .isEqualTo("tasks-2025-11-25");
        assertThat(select("2025-03-26", http(), "tools/list", "{}")).isEqualTo("plain-2025-03-26");
        assertThat(select("2025-11-25", http(), "tools/list", "{}")).isEqualTo("tasks-2025-11-25");
        assertThat(select(null, http(), "ping", "{}")).isEqualTo("needs a session");
    }

    @Test
    void headers_must_say_what_the_body_says() {
        var body = params(VERSION + "," + CAPABILITIES, "\"name\":\"a\",");
        assertThat(select(null, http("Mcp-Method", "tools/call", "Mcp-Name", "a"), "tools/call", body))
                .startsWith("400 {\"code\":-32020")
                .contains("MCP-Protocol-Version is missing");
        assertThat(select(null, http("MCP-Protocol-Version", "2025-11-25"), "tools/call", body))
                .startsWith("400 {\"code\":-32020")
                .contains("MCP-Protocol-Version is not");
        assertThat(select(null, modern(), "tools/call", body)).contains("-32020", "Mcp-Method is missing");
        assertThat(select(null, modern("Mcp-Method", "TOOLS/CALL"), "tools/call", body))
                .contains("-32020", "Mcp-Method is not");
        assertThat(select(null, modern("Mcp-Method", "tools/call"), "tools/call", body))
                .contains("-32020", "Mcp-Name is missing");
        assertThat(select(null, modern("Mcp-Method", "tools/call", "Mcp-Name", "A"), "tools/call", body))
                .contains("-32020", "Mcp-Name is not params.name");
        assertThat(select(null, modern("MCP-METHOD", "tools/call", "mcp-name", "  a "), "tools/call", body))
                .isEqualTo("plain-2026-07-28");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tasks/get", "tasks/update", "tasks/cancel"})
    void the_name_of_a_request_about_a_task_is_the_task(String method) {
        var body = params(VERSION + "," + TASKS, "\"taskId\":\"t1\",");
        assertThat(select(null, modern("Mcp-Method", method), method, body)).contains("-32020", "Mcp-Name is missing");
        assertThat(select(null, modern("Mcp-Method", method, "Mcp-Name", "t2"), method, body))
                .contains("-32020", "Mcp-Name is not params.taskId");
        assertThat(select(null, modern("Mcp-Method", method, "Mcp-Name", "t1"), method, body))
                .isEqualTo("tasks-2026-07-28");
    }

    @ParameterizedTest
    @CsvSource({
        "Hello, =?base64?SGVsbG8=?=, true",
        "Hello, Hello, true",
        "Hello, =?base64?SGVsbG8?=, false",
        "Hello, =?base64?SGVs!!!bG8=?=, false",
        "Hello, =?BASE64?SGVsbG8=?=, false",
        "Hello, =?base64?SGVsbG9=?=, false",
        "SGVsbG8=, SGVsbG8=, true",
        "=?base64?SGVsbG8=, =?base64?SGVsbG8=, true",
        "h\u00e9, h\u00e9, false",
        "h\u00e9, =?base64?aMOp?=, true",
        "x, =?base64?/w==?=, false",
    })
    void names_in_headers_may_be_in_exact_base64(String name, String header, boolean accepted) {
        var selected = select(
                null,
                modern("Mcp-Method", "tools/call", "Mcp-Name", header),
                "tools/call",
                params(VERSION + "," + CAPABILITIES, "\"name\":\"" + name + "\","));
        assertThat(selected.equals("plain-2026-07-28")).as(selected).isEqualTo(accepted);
        assertThat(accepted || selected.startsWith("400 {\"code\":-32020")).isTrue();
    }

    @Test
    void notifications_need_no_headers_and_no_meta() {
        assertThat(select(null, modern(), "notifications/cancelled", "{}")).isEqualTo("plain-2026-07-28");
    }

    @Test
    void a_dialect_is_found_again_by_its_name() {
        for (var name : new String[] {"plain-2024-11-05", "plain-2025-11-25", "tasks-2025-11-25", "tasks-2026-07-28"}) {
            assertThat(SELECTOR.named(name))
                    .hasValueSatisfying(it -> assertThat(it.name()).isEqualTo(name));
        }
        assertThat(SELECTOR.named("operations")).isEmpty();
        assertThat(SELECTOR.ofSession("2025-11-25").name()).isEqualTo("tasks-2025-11-25");
        assertThat(SELECTOR.ofSession("2025-06-18").name()).isEqualTo("plain-2025-06-18");
    }

    @Test
    void arguments_that_a_schema_marks_must_be_in_their_headers() {
        var schema =
                "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},"
                        + "\"deep\":{\"type\":\"object\",\"properties\":"
                        + "{\"n\":{\"type\":\"integer\",\"x-mcp-header\":\"N\"}}},"
                        + "\"on\":{\"type\":\"boolean\",\"x-mcp-header\":\"On\"}}}";
        for (var row : new Object[][] {
            {"{\"region\":\"eu\"}", Map.of("Mcp-Param-Region", "eu"), true},
            {"{\"region\":\"eu\"}", Map.of("mcp-param-region", " eu "), true},
            {"{\"region\":\"eu\"}", Map.of("Mcp-Param-Region", "us"), false},
            {"{\"region\":\"eu\"}", Map.of(), false},
            {"{\"region\":null}", Map.of(), true},
            {"{}", Map.of(), true},
            {"{}", Map.of("Mcp-Param-Region", "eu"), false},
            {"{\"deep\":{\"n\":42}}", Map.of("Mcp-Param-N", "42.0"), true},
            {"{\"deep\":{\"n\":42}}", Map.of("Mcp-Param-N", "43"), false},
            {"{\"deep\":{\"n\":42}}", Map.of("Mcp-Param-N", "1e999999999"), false},
            {"{\"on\":true}", Map.of("Mcp-Param-On", "true"), true},
            {"{\"on\":true}", Map.of("Mcp-Param-On", "True"), false},
            {"{\"region\":\" a\"}", Map.of("Mcp-Param-Region", "=?base64?IGE=?="), true},
        }) {
            @SuppressWarnings("unchecked")
            var headers = (Map<String, String>) row[1];
            var error = ParamHeaders.check(Json.raw(schema), Json.raw((String) row[0]), headers(headers));
            assertThat(error == null).as("%s %s", row[0], headers).isEqualTo(row[2]);
            assertThat(error == null || error.code() == -32020).isTrue();
        }
    }

    private static RequestHeaders headers(Map<String, String> headers) {
        return http(headers.entrySet().stream()
                .flatMap(entry -> Stream.of(entry.getKey(), entry.getValue()))
                .toArray(String[]::new));
    }
}

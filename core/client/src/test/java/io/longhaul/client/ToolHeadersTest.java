// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
@ExtendWith(Transcript.Played.class)
class ToolHeadersTest {

    private final TestTime time = new TestTime();

    private static String listed(String properties) {
        return """
            -> tools/list
            <- {"tools":[{"name":"good","inputSchema":{"type":"object"}},\
            {"name":"sql","inputSchema":{"type":"object","properties":%s}}]}
            """.formatted(properties);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            quoteCharacter = '`',
            value = {
                "us-west1|us-west1",
                "Hello, 世界|=?base64?SGVsbG8sIOS4lueVjA==?=",
                " padded |=?base64?IHBhZGRlZCA=?=",
                "=?base64?literal?=|=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="
            })
    void an_argument_is_repeated_in_its_header_as_the_specification_spells_it(String value, String header)
            throws Exception {
        var script = new Transcript(Scripts.STATELESS
                + listed("{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}}")
                + "-> tools/call\n-h Mcp-Param-Region: " + header + "\n<- {\"content\":[]}");
        try (var client = Scripts.over(script, time).connect()) {
            client.call("sql", Json.raw("{\"region\":\"" + value + "\"}")).await();
        }
    }

    @Test
    void nested_numbers_and_truths_are_repeated_and_absent_and_null_arguments_are_not() throws Exception {
        var script = new Transcript(Scripts.STATELESS + listed("""
                        {"a":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}},\
                        "b":{"type":"boolean","x-mcp-header":"B"},"c":{"type":"string","x-mcp-header":"C"},\
                        "d":{"type":"string","x-mcp-header":"D"}}""") + """
                -> tools/call
                -h Mcp-Param-N: 42
                -h Mcp-Param-B: true
                -- Mcp-Param-C
                -- Mcp-Param-D
                <- {"content":[]}
                """);
        try (var client = Scripts.over(script, time).connect()) {
            client.call("sql", Json.raw("{\"a\":{\"n\":42},\"b\":true,\"c\":null}"))
                    .await();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\"}}",
                "{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"two words\"}}",
                "{\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}}",
                "{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},"
                        + "\"b\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}}",
                "{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}",
                "{\"a\":{\"anyOf\":[{\"type\":\"string\",\"x-mcp-header\":\"A\"}]}}"
            })
    void a_tool_whose_annotations_are_invalid_is_left_out_and_the_others_stay(String properties) {
        var script = new Transcript(Scripts.STATELESS + listed(properties));
        try (var client = Scripts.over(script, time).connect()) {
            assertThat(client.tools()).extracting(ToolInfo::name).containsExactly("good");
        }
    }

    @Test
    void a_mismatch_of_headers_reads_the_tools_again_and_calls_once_more() throws Exception {
        var script = new Transcript(Scripts.STATELESS
                + listed("{\"a\":{\"type\":\"string\"}}")
                + "-> tools/call\n-- Mcp-Param-A\n<= 400\n<! -32020 Mismatch\n"
                + listed("{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}")
                + "-> tools/call\n-h Mcp-Param-A: x\n<- {\"content\":[]}");
        try (var client = Scripts.over(script, time).connect()) {
            assertThat(client.call("sql", Json.raw("{\"a\":\"x\"}")).await())
                    .isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    @Test
    void a_name_that_no_header_can_carry_is_encoded() throws Exception {
        var script = new Transcript(Scripts.STATELESS
                + listed("{}")
                + "-> tools/call {\"name\":\"größe\"}\n-h Mcp-Name: =?base64?Z3LDtsOfZQ==?=\n<- {\"content\":[]}");
        try (var client = Scripts.over(script, time).connect()) {
            client.call("größe", Json.EMPTY_OBJECT).await();
        }
    }
}

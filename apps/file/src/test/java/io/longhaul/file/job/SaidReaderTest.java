// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.shell.said.Said;
import io.longhaul.backend.shell.said.Said.Reply;
import io.longhaul.engine.task.Progress;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SaidReaderTest {

    /** The schema, by which authors check their lines, refuses fields that no line has. A server ignores them. */
    private static final Set<String> WITH_MORE_FIELDS = Set.of(
            "{\"progress\": 3, \"status\": \"reads\"}",
            "{\"ask\": \"place\", \"message\": \"Where?\", \"url\": \"https://example.com\", \"fields\": {\"city\":"
                    + " \"string\"}}",
            "{\"ask\": \"roots\", \"roots\": true, \"message\": \"Which folders?\"}",
            "{\"result\": {\"words\": 3}, \"fail\": \"no\"}");

    private final SaidReader reader = new SaidReader(ToolMaker::callNone, Set.of("approve"));

    static List<String> good() throws IOException {
        return lines("good.jsonl");
    }

    static List<String> bad() throws IOException {
        return lines("bad.jsonl");
    }

    private static List<String> lines(String name) throws IOException {
        try (var in = SaidReaderTest.class.getResourceAsStream("/io/longhaul/file/script/" + name)) {
            return new String(in.readAllBytes(), UTF_8).lines().toList();
        }
    }

    private Said said(String line) {
        return reader.read(line.getBytes(UTF_8));
    }

    @ParameterizedTest
    @MethodSource
    void good(String line) {
        assertThat(said(line)).isNotInstanceOf(Said.Refused.class);
    }

    @ParameterizedTest
    @MethodSource
    void bad(String line) {
        assertThat(said(line) instanceof Said.Refused).isNotEqualTo(WITH_MORE_FIELDS.contains(line));
    }

    @Test
    void a_line_says_how_far_the_work_is() {
        assertThat(said("{\"progress\": 3, \"total\": 10, \"message\": \"three\"}"))
                .isEqualTo(new Said.Progressed(new Progress(3, 10.0, "three")));
    }

    @Test
    void a_form_is_written_as_in_a_file_of_tools() {
        var asked = (Said.Asked)
                said("{\"ask\": \"who\", \"message\": \"Who?\", \"fields\": {\"name\": \"string\", \"n\": \"integer"
                        + " = 3\"}}");
        assertThat(asked.method()).isEqualTo("elicitation/create");
        assertThat(asked.params().text()).contains("\"message\":\"Who?\"", "\"required\":[\"name\"]", "\"default\":3");
    }

    @Test
    void a_refused_line_with_a_name_says_which_file_is_waited_for() {
        assertThat(said("{\"ask\": \"who\", \"message\": \"Who?\", \"fields\": {\"name\": \"strung\"}}"))
                .isInstanceOfSatisfying(
                        Said.Refused.class,
                        line -> assertThat(line.waiting()).isEqualTo(new Reply(Reply.Kind.ANSWERS, "who")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "-1e400", "1, \"total\": 1e999", "1%0400d"})
    void progress_that_no_message_can_tell_is_refused(String number) {
        assertThat(said("{\"progress\": " + number.formatted(1) + "}"))
                .isEqualTo(new Said.Refused(null, "its progress is too large a number"));
    }

    @Test
    void the_key_of_a_question_of_the_tool_is_taken() {
        assertThat(said("{\"ask\": \"approve\", \"message\": \"Publish?\"}"))
                .isInstanceOfSatisfying(
                        Said.Refused.class, line -> assertThat(line.why()).contains("approve", "question of the tool"));
    }

    @Test
    void bytes_that_are_no_text_spoil_their_place_and_not_the_line() {
        assertThat(reader.read(new byte[] {'{', '"', 'l', 'o', 'g', '"', ':', '"', 'a', (byte) 0xE9, '"', '}'}))
                .isEqualTo(new Said.Logged("info", "a\uFFFD"));
    }
}

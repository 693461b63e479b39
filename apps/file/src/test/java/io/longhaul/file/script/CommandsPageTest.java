// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.file.script.SayFolder.Answer;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.ElicitUrlRequest;
import io.longhaul.server.TaskContext;
import io.longhaul.server.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Each column of the table of docs/COMMANDS.md is a script that says the same, and each line there is legal. */
@Timeout(60)
class CommandsPageTest {
    private static final Path PAGE = Path.of("../../docs/COMMANDS.md");
    private static final Path SOURCE = Path.of("src/test/java/io/longhaul/file/script/CommandsPageTest.java");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern LISTING = Pattern.compile("(?s)```text\n(.*?)```");
    private static final String SAID = """
        {"progress": 1, "total": 3, "message": "half"}
        {"status": "loads"}
        {"log": "odd", "level": "warning"}
        {"partial": "a row"}
        {"step": "load", "value": "rows"}
        {"ask": "who", "message": "Who?", "fields": {"name": "string"}}
        {"ask": "approve", "message": "Publish?"}
        {"ask": "login", "url": "https://example.com", "message": "Log in"}
        {"ask": "title", "sample": {}}
        {"ask": "roots", "roots": true}
        {"call": "tests", "tool": "run_tests", "arguments": {}}
        {"result": {"rows": "rows"}}
        {"result": {"rows": "rows"}, "files": ["report.pdf"]}
        {"fail": "no rows"}
        """;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void a_column_is_a_script(ScriptLanguage language) throws Exception {
        var script = Script.of(language, folder.resolve("work"));
        var code = String.join("\n", column(language.ordinal()));
        var line = script.inline(
                "url, params, load = 'https://example.com', {}, lambda: 'rows'\n" + code,
                "const url = 'https://example.com', params = {}, load = () => 'rows'\n" + code,
                "set -e; url=https://example.com params={}; load() { echo rows; }\n"
                        + code.replaceAll("(?m)^\\$", ": \\$"));
        try (var server = SayFolder.in(folder.resolve("task"), "{\"folder\": \"/texts\"}", CommandsPageTest::answers)) {
            var ran = script.run(server.environment(), line);
            assertThat(ran.code()).as(ran.errors()).isOne();
            assertThat(ran.errors()).isEmpty();
            assertThat(server.rest().stream().map(CommandsPageTest::withPlainKey))
                    .containsExactlyElementsOf(
                            SAID.lines().map(JsonMapper.shared()::readTree).toList());
        }
    }

    /** The code of a column, which is that of Python in an empty cell. */
    private static List<String> column(int number) throws IOException {
        var code = new ArrayList<String>();
        for (var row : Files.readString(PAGE)
                .split("\n## ", 2)[0]
                .lines()
                .filter(line -> line.startsWith("| `"))
                .toList()) {
            var cells = row.substring(2).split("\\s*\\|\\s*", -1);
            var cell = cells[number].isEmpty() ? cells[0] : cells[number];
            CODE.matcher(cell).results().forEach(found -> code.add(found.group(1)));
        }
        return code;
    }

    private static List<Answer> answers(JsonNode line) {
        return Stream.of(
                        Map.entry("step", "{\"value\": \"rows\"}"),
                        Map.entry("call", "{\"task\": \"t\", \"result\": {\"content\": []}}"),
                        Map.entry("ask", "{\"action\": \"accept\", \"content\": {\"name\": \"Ann\"}, \"roots\": []}"))
                .filter(kind -> line.has(kind.getKey()))
                .map(kind -> {
                    var name = line.path(kind.getKey()).stringValue();
                    var place = Map.of("step", "steps/", "call", "children/", "ask", "answers/");
                    return new Answer(place.get(kind.getKey()) + name, kind.getValue());
                })
                .toList();
    }

    private static JsonNode withPlainKey(JsonNode line) {
        if (line.path("ask").asString("").startsWith("approve-")) {
            ((ObjectNode) line).put("ask", "approve");
        }
        return line;
    }

    @Test
    void each_line_is_legal() throws IOException {
        var listing = LISTING.matcher(Files.readString(PAGE));
        assertThat(listing.find()).isTrue();
        assertThat(listing.group(1).lines())
                .hasSizeGreaterThan(10)
                .allSatisfy(
                        line -> assertThat(SayLinesTest.problem(line)).as(line).isEmpty());
    }

    @Test
    void the_column_of_java_is_compiled_here() throws IOException {
        var source = Files.readString(SOURCE).replaceAll("\\s", "");
        assertThat(column(3).stream().map(code -> code.replaceAll("\\s", "")).collect(Collectors.toSet()))
                .hasSizeGreaterThan(10)
                .allMatch(source::contains);
    }

    private record Folder(String folder) {}

    private record Rows(int count) {}

    private record Person(String name) {}

    private record Tests(int passed) {}

    /** The column of Java, and what it needs. */
    abstract static class JavaColumn {
        abstract Rows load();

        abstract void use(Object... values);

        void handle(Folder request, TaskContext task, String url, CreateMessageRequest params) throws Exception {
            use(request.folder());
            task.progress(1, 3, "half");
            task.status("loads");
            task.log("warning", "odd");
            task.partial("a row");
            var rows = task.step("load", Rows.class, () -> load());
            var who = task.elicit("Who?", Person.class);
            task.approve("Publish?");
            task.elicitUrl(ElicitUrlRequest.of("Log in", url));
            var text = task.sample(params);
            var folders = task.listRoots();
            var tests = task.call("tests", "run_tests", Map.of());
            tests.await(Tests.class);
            use(rows, who, text, folders);
            throw new ToolException("no rows");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.file.ServerFile;
import io.longhaul.file.script.SayFolder.Answer;
import io.longhaul.file.script.Script.Ran;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The helper of each language says the same lines, and takes the same answers. */
@Timeout(60)
class ScriptLanguageTest {
    private static final String ARGUMENTS = """
        {"folder": "a \\"b\\"\\\\\\nü \\ud83d\\ude00", "count": 3, "kinds": ["txt"]}
        """;

    private static final Map<String, String> ANSWERS = Map.of(
            "place", "{'action': 'accept', 'content': {'city': 'Graz'}}",
            "other", "{'action': 'cancel'}",
            "Publish?", "{'action': 'accept', 'content': {}}",
            "Delete?", "{'action': 'decline'}",
            "login", "{'action': 'accept'}",
            "title", "{'role': 'assistant', 'model': 'm', 'content': {'type': 'text', 'text': 'Words'}}",
            "roots", "{'roots': [{'uri': 'file:///texts'}]}",
            "nobody", "{'error': {'message': 'the client cannot be asked'}}");

    private static final Map<String, String> CHILDREN = Map.of(
            "first", "{'task': 'child-first', 'result': {'structuredContent': {'passed': 3}, 'content': []}}",
            "second", "{'task': 'child-second', 'result': {'content': [{'type': 'text', 'text': '3 passed'}]}}",
            "broken",
                    "{'task': 'child-broken',"
                            + " 'result': {'isError': true, 'content': [{'type': 'text', 'text': 'no tests'}]}}",
            "gone", "{'task': 'child-gone', 'error': {'message': 'the task was cancelled'}}");

    /** What each test beside the helpers says, in any order. */
    private static final String SAID = """
        {"progress": 1, "total": 3, "message": "one \\"of\\"\\nthree, ü"}
        {"progress": 2}
        {"status": "reads\\tthe texts"}
        {"log": "a line", "level": "info"}
        {"log": "careful \\\\", "level": "warning"}
        {"partial": "LONG"}
        {"step": "load", "value": "three\\nrows"}
        {"step": "raced", "value": "mine"}
        {"step": "large", "value": "large"}
        {"ask": "place", "message": "Where?", "fields": {"city": "string"}}
        {"ask": "other", "message": "Where else?", "fields": {"city": "string"}}
        {"ask": "approve-1", "message": "Publish?"}
        {"ask": "approve-2", "message": "Delete?"}
        {"ask": "delete-it", "message": "Delete?"}
        {"ask": "login", "url": "https://example.com/login", "message": "Log in"}
        {"ask": "title", "sample": {"messages": [], "maxTokens": 9}}
        {"ask": "roots", "roots": true}
        {"ask": "nobody", "message": "Who?", "fields": {"name": "string"}}
        {"call": "first", "tool": "run_tests", "arguments": {"commit": "ab12"}}
        {"call": "second", "tool": "run_tests", "arguments": {}}
        {"call": "broken", "tool": "run_tests", "arguments": {}}
        {"call": "gone", "tool": "run_tests", "arguments": {}}
        {"files": ["a.txt"]}
        {"result": {"words": "3"}, "files": ["a.txt"]}
        {"result": {"words": "3"}, "files": ["a.txt", "out/*.png"]}
        """.replace("LONG", "x".repeat(5000));

    private static final Pattern MADE_KEY = Pattern.compile("approve-.+");

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void a_helper_passes_the_tests_of_its_language(ScriptLanguage language) throws Exception {
        var script = Script.of(language, folder.resolve("work"));
        var line = switch (language) {
            case PYTHON -> List.of("python3", "-m", "unittest", "test_longhaul.py");
            case NODE -> List.of("node", "--test", "longhaul.test.mjs");
            case SH -> List.of("sh", "test_longhaul.sh");
        };
        Files.writeString(script.folder().resolve(line.getLast()), SayLinesTest.text(line.getLast()));
        try (var server = SayFolder.in(folder.resolve("task"), ARGUMENTS, this::answers)) {
            server.answer("steps/known", "{\"value\": \"of an earlier attempt\"}");
            var ran = script.run(server.environment(), line);
            assertThat(ran.code()).as(ran.output() + ran.errors()).isZero();
            var expected =
                    new ArrayList<>(SAID.lines().map(ScriptLanguageTest::json).toList());
            if (language != ScriptLanguage.SH) {
                expected.add(json("{\"step\": \"json\", \"value\": {\"rows\": [1, null]}}"));
            }
            assertThat(server.rest().stream().map(ScriptLanguageTest::withPlainKey))
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_failure_that_is_said_ends_the_script(ScriptLanguage language) throws Exception {
        var script = Script.of(language, folder.resolve("work"));
        try (var server = SayFolder.in(folder.resolve("task"), "{}", line -> List.of())) {
            var ran = script.run(
                    server.environment(),
                    script.inline(
                            "task.fail('no texts'); print('goes on')",
                            "task.fail('no texts'); console.log('goes on')",
                            "task_fail 'no texts'; echo 'goes on'"));
            assertThat(ran).isEqualTo(new Ran(1, "", ""));
            assertThat(server.rest()).containsExactly(json("{\"fail\": \"no texts\"}"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_error_of_the_call_that_a_script_does_not_catch_is_a_line(ScriptLanguage language) throws Exception {
        var script = Script.of(language, folder.resolve("work"));
        try (var server = SayFolder.in(folder.resolve("task"), "{}", line -> List.of())) {
            server.answer("answers/go", "{\"error\": {\"message\": \"nobody can be asked\"}}");
            var line = script.inline(
                    "task.approve('Go?', 'go'); print('goes on')",
                    "await task.approve('Go?', 'go'); console.log('goes on')",
                    "set -e; task_approve 'Go?' go; echo 'goes on'");
            var file = language.files().keySet().stream()
                    .filter(name -> name.startsWith("longhaul."))
                    .findFirst()
                    .orElseThrow();
            assertThat(script.run(server.environment(), line))
                    .isEqualTo(new Ran(language == ScriptLanguage.SH ? 2 : 1, "", file + ": nobody can be asked\n"));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SH")
    void a_mistake_of_a_script_is_told_with_its_place(ScriptLanguage language) throws Exception {
        var script = Script.of(language, folder.resolve("work"));
        try (var server = SayFolder.in(folder.resolve("task"), "{}", line -> List.of())) {
            server.answer("answers/go", "{\"error\": {\"message\": \"nobody can be asked\"}}");
            var ran = script.run(server.environment(), script.inline("""
                try:
                    task.approve('Go?', 'go')
                except Exception:
                    raise ValueError('mistake') from None
                """, """
                await task.approve('Go?', 'go').catch(() => { throw new Error('mistake') })
                """, ""));
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.errors()).contains("mistake", language == ScriptLanguage.PYTHON ? "line 5" : "at ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_script_that_has_waited_long_for_an_answer_ends_and_is_started_again(ScriptLanguage language)
            throws Exception {
        var script = Script.of(language, folder.resolve("work"));
        var line = script.inline("""
            task.step('load', lambda: print('loads'))
            print(task.ask('place', 'Where?', {'city': 'string'})['city'])
            """, """
            await task.step('load', () => console.log('loads'))
            console.log((await task.ask('place', 'Where?', { city: 'string' })).city)
            """, """
            load() { echo loads >&2; }
            task_step load load >load
            task_ask place 'Where?' '{"city": "string"}'
            task_answer place city
            """);
        try (var server = SayFolder.in(folder.resolve("task"), "{}", this::recorded)) {
            var suspended = new HashMap<>(server.environment());
            suspended.put("LONGHAUL_SUSPEND_AFTER", "0.3");
            var ran = script.run(suspended, line);
            assertThat(ran.code()).as(ran.errors()).isEqualTo(75);
            assertThat(ran.output() + ran.errors()).isEqualTo("loads\n");
            server.answer("answers/place", "{\"action\": \"accept\", \"content\": {\"city\": \"Graz\"}}");
            assertThat(script.run(suspended, line)).isEqualTo(new Ran(0, "Graz\n", ""));
            assertThat(server.rest().stream()
                            .map(said -> said.propertyNames().iterator().next()))
                    .containsExactly("step", "ask");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_cancel_reaches_a_script_that_waits(ScriptLanguage language) throws Exception {
        var script = Script.of(language, folder.resolve("work"));
        var line = script.inline("""
            try:
                task.approve('Publish?')
            finally:
                task.status('cleans up')
            """, """
            try {
              await task.approve('Publish?')
            } finally {
              task.status('cleans up')
            }
            """, """
            trap "task_status 'cleans up'" EXIT
            task_approve 'Publish?'
            """);
        assertThat(cancelled(script, line)).isEqualTo(new Ran(143, "", ""));
    }

    @Test
    void a_cancel_reaches_the_signal_of_a_script_in_node() throws Exception {
        var script = Script.of(ScriptLanguage.NODE, folder.resolve("work"));
        var line = script.inline("", """
            task.signal.addEventListener('abort', () => {
              task.status('cleans up')
              process.exit(143)
            })
            setInterval(() => {}, 1000)
            task.log('works')
            """, "");
        assertThat(cancelled(script, line)).isEqualTo(new Ran(143, "", ""));
    }

    @ParameterizedTest
    @EnumSource
    void a_cancel_ends_a_script_that_works(ScriptLanguage language) throws Exception {
        var script = Script.of(language, folder.resolve("work"));
        var line = script.inline("""
            import time
            try:
                task.log('works')
                time.sleep(600)
            except Exception:
                pass
            finally:
                task.status('cleans up')
            """, """
            process.on('exit', () => task.status('cleans up'))
            setInterval(() => {}, 1000)
            task.log('works')
            """, """
            trap "task_status 'cleans up'" EXIT
            task_log works
            while :; do sleep 0.1; done
            """);
        assertThat(cancelled(script, line)).isEqualTo(new Ran(143, "", ""));
    }

    /** Cancels a script when it has said its first line, and expects that it says another. */
    private Ran cancelled(Script script, List<String> line) throws Exception {
        try (var server = SayFolder.in(folder.resolve("task"), "{}", said -> List.of())) {
            var process = script.start(server.environment(), line);
            try {
                assertThat(server.next()).isNotNull();
                process.destroy();
                assertThat(server.next()).isEqualTo(json("{\"status\": \"cleans up\"}"));
                var ran = script.end(process);
                assertThat(server.rest()).isEmpty();
                return ran;
            } finally {
                process.destroyForcibly();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_script_runs_dry_without_a_server(ScriptLanguage language) throws Exception {
        var script = Script.of(language, folder.resolve("work"));
        var line = new ArrayList<>(script.inline("""
            text = task.step('load', lambda: task.arguments['text'])
            city = task.ask('place', 'Where?', {'city': 'string'})['city']
            words = ('yes' if task.approve('Now?') else 'no') + ('yes' if task.approve('Then?') else 'no')
            task.result({'said': text + ' ' + city + ' ' + words})
            task.file('a.txt')
            task.call('tests', 'run_tests').result()
            """, """
            const text = await task.step('load', () => task.arguments.text)
            const { city } = await task.ask('place', 'Where?', { city: 'string' })
            const words = (await task.approve('Now?') ? 'yes' : 'no') + (await task.approve('Then?') ? 'yes' : 'no')
            task.result({ said: text + ' ' + city + ' ' + words })
            task.file('a.txt')
            await task.call('tests', 'run_tests').result()
            """, """
            set -e
            text=$(task_step load task_argument text)
            task_ask place 'Where?' '{"city": "string"}'
            words=no
            task_approve 'Now?' && words=yes
            if task_approve 'Then?'; then words=${words}yes; else words=${words}no; fi
            task_result "$(task_object said "$text $(task_answer place city) $words")"
            task_file a.txt
            task_call tests run_tests
            task_wait tests
            """));
        line.add("other");
        line.add("text=a=b \"c\"");
        var ran = script.run(Map.of("TMPDIR", folder.toString()), line, "{\"city\": \"Graz\"}\nyes\n");
        var result = "\"result\": {\"said\": \"a=b \\\"c\\\" Graz yesno\"}";
        assertThat(ran.output().lines().map(ScriptLanguageTest::json))
                .containsExactly(json("{" + result + "}"), json("{" + result + ", \"files\": [\"a.txt\"]}"));
        assertThat(ran.code()).as(ran.errors()).isNotZero();
        assertThat(ran.errors()).contains("there is no server to call; see longhaul serve", "\"Where?\"");
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(script.folder());
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_first_tool_can_be_served_and_its_test_passes(ScriptLanguage language) throws Exception {
        var script = Script.of(language, folder);
        for (var file : language.files().entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
        var yaml = Files.writeString(folder.resolve("tools.yaml"), language.firstFile());
        assertThat(ServerFile.check(yaml, Map.of()).warnings()).isEmpty();
        var tool = ServerFile.read(yaml).tools().getFirst();
        assertThat(tool.command().orElseThrow().isScript()).isTrue();
        var ran = script.run(Map.of(), List.of(language.testing().split(" ", -1)));
        assertThat(ran.code()).as(ran.output() + ran.errors()).isZero();
        assertThat(ran.output() + ran.errors()).containsAnyOf("2 tests", "tests 2");
    }

    @ParameterizedTest
    @EnumSource
    void the_first_tool_says_what_it_does(ScriptLanguage language) throws Exception {
        var script = Script.of(language, folder.resolve("work"));
        for (var file : language.files().entrySet()) {
            Files.writeString(script.folder().resolve(file.getKey()), file.getValue());
        }
        var texts = Files.createDirectory(folder.resolve("my texts"));
        Files.writeString(texts.resolve("a.txt"), "one two");
        Files.writeString(texts.resolve("b.txt"), "three");
        var arguments = JsonMapper.shared().createObjectNode().put("folder", texts.toString());
        try (var server = SayFolder.in(folder.resolve("task"), arguments.toString(), this::recorded)) {
            var process = script.start(
                    server.environment(),
                    List.of(
                            Script.program(language),
                            language.files().keySet().iterator().next()));
            var key = server.next().path("ask").stringValue();
            server.answer("answers/" + key, "{\"action\": \"accept\", \"content\": {}}");
            var ran = script.end(process);
            assertThat(ran).isEqualTo(new Ran(0, "", ""));
            assertThat(server.rest().stream()
                            .map(said -> said.propertyNames().iterator().next()))
                    .containsExactly("progress", "step", "progress", "step", "result");
        }
    }

    /** A server that records steps, and answers nothing else. */
    private List<Answer> recorded(JsonNode line) {
        return line.has("step") ? answers(line) : List.of();
    }

    /** What the server of the test answers. The first child ends only after the call of the second. */
    private List<Answer> answers(JsonNode line) {
        if (line.has("step")) {
            var name = line.path("step").stringValue();
            var recorded = switch (name) {
                case "raced" -> "{\"value\": \"of another\"}";
                case "large" -> "{\"error\": {\"message\": \"too large\"}}";
                default -> "{\"value\": " + line.path("value") + "}";
            };
            return List.of(new Answer("steps/" + name, recorded));
        }
        if (line.has("ask")) {
            var key = line.path("ask").stringValue();
            return List.of(new Answer(
                    "answers/" + key, answer(key, line.path("message").asString(""))));
        }
        return switch (line.path("call").asString("first")) {
            case "first" -> List.of();
            case "second" -> List.of(child("second"), child("first"));
            default -> List.of(child(line.path("call").stringValue()));
        };
    }

    private static String answer(String key, String message) {
        var answer = ANSWERS.get(ANSWERS.containsKey(key) ? key : message);
        return answer.replace('\'', '"');
    }

    private static Answer child(String name) {
        return new Answer("children/" + name, CHILDREN.get(name).replace('\'', '"'));
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    /** The line, where a key that a helper has made of the message is one that each helper makes. */
    private static JsonNode withPlainKey(JsonNode line) {
        if (MADE_KEY.matcher(line.path("ask").asString("")).matches()) {
            ((ObjectNode) line)
                    .put("ask", line.path("message").asString("").equals("Publish?") ? "approve-1" : "approve-2");
        }
        return line;
    }
}

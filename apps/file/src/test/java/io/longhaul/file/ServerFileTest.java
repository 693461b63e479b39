// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.run.Rate;
import io.longhaul.engine.run.Retry;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.file.secret.SecretSource;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.tool.ToolEntry.Durable;
import io.longhaul.file.tool.ToolEntry.Mode;
import io.longhaul.file.tool.ToolEntry.Plain;
import io.longhaul.file.tool.ToolEntry.Resume;
import io.longhaul.file.tool.ToolEntry.SlotBounds;
import io.longhaul.file.tool.ToolEntry.Waiting;
import io.longhaul.file.value.CallValues;
import io.longhaul.file.work.CommandEntry.Arguments;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.PlainHosts.Companions;
import io.longhaul.receiver.PlainHosts.Host;
import io.longhaul.receiver.Rounds;
import io.longhaul.server.Icon;
import io.longhaul.server.Icon.Theme;
import io.longhaul.server.WhenAbandoned;
import io.longhaul.server.WhenRepeated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class ServerFileTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    Path folder;

    @Test
    void the_least_file_gets_sensible_defaults() throws IOException {
        var file = read("tools: [{name: list, command: [ls, -l]}]");
        assertThat(file.name()).isEqualTo("jobs");
        var tool = file.tools().getFirst();
        assertThat(tool.command().orElseThrow().program()).isEqualTo("ls");
        assertThat(tool.command().orElseThrow().arguments()).containsExactly(new Arguments(List.of("-l"), false));
        assertThat(tool.command().orElseThrow().place().folder()).isEqualTo(folder);
        assertThat(tool.command().orElseThrow().dashes()).isFalse();
        assertThat(tool.running())
                .isEqualTo(new ToolEntry.Running(
                        new Durable(
                                CrashPolicy.REATTACH,
                                null,
                                null,
                                new SlotBounds(null, null, 0, null, List.of()),
                                false,
                                false),
                        new Plain(
                                new Waiting(null, WhenAbandoned.KEEP, WhenRepeated.JOIN, new Resume(false, null, null)),
                                null,
                                null)));
        assertThat(tool.running().mode()).isEqualTo(Mode.LONG);
        assertThat(file.hosts()).isEqualTo(PlainHosts.DEFAULT);
        assertThat(tool.inputSchema()).isEqualTo(json("{'type':'object','additionalProperties':false}"));
    }

    @Test
    void hosts_that_know_no_tasks_are_told_of_for_the_server_and_for_a_tool() throws IOException {
        var file = read("""
            hold: 20s
            companions: one
            companionPrefix: job_
            hosts:
              claude-ai: {hold: 50s}
              my host: {waitsOnProgress: true}
            tools:
              - {name: a, command: [ls], hold: 5s, whenAbandoned: cancel, whenRepeated: run}
            """);
        assertThat(file.hosts())
                .isEqualTo(PlainHosts.DEFAULT
                        .holding(Duration.ofSeconds(20))
                        .companions(Companions.ONE, "job_")
                        .with("claude-ai", Host.holding(Duration.ofSeconds(50)))
                        .with("my host", new Host(null, true)));
        assertThat(file.tools().getFirst().running().plain())
                .isEqualTo(new Plain(
                        new Waiting(
                                Duration.ofSeconds(5),
                                WhenAbandoned.CANCEL,
                                WhenRepeated.RUN,
                                new Resume(false, null, null)),
                        null,
                        null));
    }

    @Test
    void limits_are_set_by_their_names_and_the_others_keep_their_defaults() throws IOException {
        var limits = read("""
            limits:
              livePerOwner: 20
              messageBytes: 1 MiB
              longestRetention: 30d
              joinedFor: 1h30m
            tools:
              - {name: a, command: [ls], keepFor: 20d}
            """);
        assertThat(limits.limits().tasks().livePerOwner()).isEqualTo(20);
        assertThat(limits.limits().tasks().running()).isEqualTo(TaskLimits.DEFAULT.running());
        assertThat(limits.limits().tasks().longestRetention()).isEqualTo(Duration.ofDays(30));
        assertThat(limits.limits().wire().messageBytes()).isEqualTo(1 << 20);
        assertThat(limits.limits().rounds()).isEqualTo(Rounds.DEFAULT);
        assertThat(limits.hosts().joined()).isEqualTo(Duration.ofMinutes(90));
    }

    @Test
    void short_inputs_become_a_schema() throws IOException {
        var tool = read("""
            tools:
              - name: a
                command: [ls]
                input:
                  name: string
                  count: integer = 3 - how many there are
                  tag: [a, b]
                  files: string[]
                  verbose: boolean?
                  size?: [1, 2]
                  note: string? - free text
                  ratio: {type: number, minimum: 0, default: 0.5, description: between}
            """).tools().getFirst();
        assertThat(tool.inputSchema()).hasToString(json("""
            {'type':'object','properties':{
              'name':{'type':'string'},
              'count':{'type':'integer','description':'how many there are','default':3},
              'tag':{'type':'string','enum':['a','b']},
              'files':{'type':'array','items':{'type':'string'}},
              'verbose':{'type':'boolean'},
              'size':{'type':'integer','enum':[1,2]},
              'note':{'type':'string','description':'free text'},
              'ratio':{'type':'number','minimum':0,'default':0.5,'description':'between'}},
             'required':['name','tag','files'],'additionalProperties':false}\
            """).toString());
    }

    @Test
    void a_full_schema_is_taken_as_it_is() throws IOException {
        var tool = read("""
            tools:
              - name: a
                command: [ls, "{at.x}"]
                elicit: {key: at, message: Where?, fields: {x: integer}}
                inputSchema:
                  type: object
                  properties:
                    point: {type: object, properties: {x: {type: number}}}
            """).tools().getFirst();
        assertThat(tool.inputSchema())
                .isEqualTo(json("{'type':'object','properties':{'point':{'type':'object',"
                        + "'properties':{'x':{'type':'number'}}}}}"));
    }

    @Test
    void arguments_without_a_value_are_left_out_together() throws IOException {
        var tool = read("""
            tools:
              - name: a
                input: {must: string, may: string?, preset: string = x, all: "string[]"}
                command: [run, "{must}", [--may, "{may}"], "--p={preset}", "{all}", "${{HOME}} {1} {{may}}"]
            """).tools().getFirst();
        assertThat(tool.command().orElseThrow().arguments())
                .containsExactly(
                        new Arguments(List.of("{must}"), false),
                        new Arguments(List.of("--may", "{may}"), true),
                        new Arguments(List.of("--p={preset}"), false),
                        new Arguments(List.of("{all}"), false),
                        new Arguments(List.of("${{HOME}} {1} {{may}}"), false));
    }

    @Test
    void values_are_the_arguments_and_the_answers_with_their_defaults() throws IOException {
        var tool = read("""
            tools:
              - name: a
                input: {title: string, count: integer = 3}
                command: [run, "{go.mode}"]
                elicit: {key: go, message: "Start {title} with {count}?", fields: {mode: [fast, slow]}}
            """).tools().getFirst();
        var values = CallValues.of(json("{'title':'x y','count':3}"));
        assertThat(values.fill(tool.questions().getFirst().message())).isEqualTo("Start x y with 3?");
        assertThat(values.with("go", json("{}"), json("{'properties':{'mode':{'default':'fast'}}}"))
                        .texts())
                .isEqualTo(Map.of("title", List.of("x y"), "count", List.of("3"), "go.mode", List.of("fast")));
    }

    @Test
    void everything_about_running_can_be_set() throws IOException {
        var tool = read("""
            tools:
              - name: a
                command: [run]
                timeout: 1h30m
                keepFor: 2d
                onCrash: restart
                idle: 10m
                concurrency: 2
                priority: -3
                rate: 10/m
                on: gpu
                maxOutput: 64KB
                taskOnly: true
                successCodes: [0, 3]
                progress: ['(?<percent>\\d+)%', '(?<current>\\d+)/(?<total>\\d+)']
                partial: '^LINE '
                env: {MODE: "1"}
                inherit: [JAVA_HOME]
                dashes: allowed
            """).tools().getFirst();
        assertThat(tool.running())
                .isEqualTo(new ToolEntry.Running(
                        new Durable(
                                CrashPolicy.RESTART,
                                Duration.ofMinutes(90),
                                Duration.ofDays(2),
                                new SlotBounds(
                                        Duration.ofMinutes(10),
                                        2,
                                        -3,
                                        new Rate(10, Duration.ofMinutes(1)),
                                        List.of("gpu")),
                                true,
                                false),
                        new Plain(
                                new Waiting(null, WhenAbandoned.KEEP, WhenRepeated.JOIN, new Resume(false, null, null)),
                                null,
                                null)));
        assertThat(tool.running().mode()).isEqualTo(Mode.TASK_ONLY);
        assertThat(tool.output().maxBytes()).isEqualTo(64 << 10);
        assertThat(tool.output().exits().success()).containsExactlyInAnyOrder(0, 3);
        assertThat(tool.output().progress()).hasSize(2);
        assertThat(tool.command().orElseThrow().environment().fixed()).isEqualTo(Map.of("MODE", "1"));
        assertThat(tool.command().orElseThrow().environment().inherited()).containsExactly("JAVA_HOME");
        assertThat(tool.command().orElseThrow().dashes()).isTrue();
    }

    @Test
    void inputs_can_be_objects_and_lists_of_objects() throws IOException {
        var tool = read("""
            tools:
              - name: a
                command: [plot, "{at}", "{marks}"]
                input:
                  at: {fields: {x: number, y: number, label?: string}}
                  marks: {type: array, items: {fields: {name: string, size: integer = 1}}, minItems: 1}
            """).tools().getFirst();
        assertThat(tool.inputSchema().path("properties")).hasToString(json("""
            {'at':{'type':'object','properties':{
               'x':{'type':'number'},'y':{'type':'number'},'label':{'type':'string'}},
               'required':['x','y'],'additionalProperties':false},
             'marks':{'type':'array','items':{'type':'object','properties':{
               'name':{'type':'string'},'size':{'type':'integer','default':1}},
               'required':['name'],'additionalProperties':false},'minItems':1}}\
            """).toString());
        assertThat(tool.command().orElseThrow().arguments().getLast().templates())
                .containsExactly("{marks}");
    }

    @Test
    void what_callers_see_of_a_tool_beside_its_result_can_be_said() throws IOException {
        var tool = read("""
            tools:
              a:
                command: [ls, "{folder}"]
                input: {folder: string}
                hints: {readOnly: true, openWorld: false}
                icons:
                  - https://example.com/a.png
                  - {src: "data:image/png;base64,AA==", mimeType: image/png, sizes: [48x48], theme: dark}
                immediate: "Listing {folder}."
                resume: {always: true, wait: 5s, for: 1d}
            """).tools().getFirst();
        assertThat(tool.label().hints()).isEqualTo(Map.of("readOnly", true, "openWorld", false));
        assertThat(tool.label().icons())
                .containsExactly(
                        Icon.at("https://example.com/a.png"),
                        Icon.at("data:image/png;base64,AA==")
                                .withMimeType("image/png")
                                .withSizes("48x48")
                                .withTheme(Theme.DARK));
        var plain = tool.running().plain();
        assertThat(CallValues.of(json("{'folder':'x'}")).fill(plain.immediate()))
                .isEqualTo("Listing x.");
        assertThat(plain.waiting().resume()).isEqualTo(new Resume(true, Duration.ofSeconds(5), Duration.ofDays(1)));
    }

    @Test
    void a_command_can_read_take_secrets_and_be_run_again() throws IOException {
        var tool = read("""
            tools:
              a:
                input: {rows: "string[]", note: string?}
                command: [load]
                stdin: "{rows}"
                env: {LEVEL: 022, TOKEN: {file: secrets/token}}
                retry: {count: 3, backoff: 10s, exitCodes: [75]}
                raw: true
              b: {input: {note: string}, command: [load], stdin: "Note: {note}", retry: {count: 1}}
            """).tools();
        var command = tool.getFirst().command().orElseThrow();
        assertThat(command.stdin()).isEqualTo("{rows}");
        assertThat(command.environment().fixed()).isEqualTo(Map.of("LEVEL", "022"));
        assertThat(command.environment().secrets())
                .isEqualTo(Map.of("TOKEN", new SecretSource(folder.resolve("secrets/token"), null)));
        assertThat(tool.getFirst().output().taken().raw()).isTrue();
        assertThat(tool.getFirst().output().exits().retry())
                .isEqualTo(new ToolEntry.Repetition(new Retry(3, Duration.ofSeconds(10)), Set.of(75)));
        assertThat(tool.getLast().command().orElseThrow().stdin()).isEqualTo("Note: {note}");
        assertThat(tool.getLast().output().exits().retry())
                .isEqualTo(new ToolEntry.Repetition(new Retry(1, Duration.ZERO), Set.of()));
    }

    private ServerFile read(String yaml) throws IOException {
        return ServerFile.read(Files.writeString(folder.resolve("jobs.yaml"), yaml));
    }

    private static tools.jackson.databind.JsonNode json(String text) {
        return JSON.readTree(text.replace('\'', '"'));
    }
}

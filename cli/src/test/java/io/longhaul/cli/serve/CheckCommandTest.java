// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.ExitCode;
import io.longhaul.cli.call.JsonText;
import io.longhaul.cli.terminal.TestTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
    private static final String BAD = """
            tools:
              a: {command: [ls, "{x}"], timeout: 3}
              b: {comand: [ls]}
            """;

    @TempDir
    Path folder;

    private TestTerminal user = TestTerminal.silent();

    private int check(String yaml, String... options) throws IOException {
        user = TestTerminal.silent();
        var file = Files.writeString(folder.resolve("tools.yaml"), yaml);
        var line = new java.util.ArrayList<>(List.of("check", file.toString()));
        line.addAll(List.of(options));
        return new Cli(user.terminal()).run(line);
    }

    private String out() {
        return user.out().replace(folder + "/", "");
    }

    @Test
    void a_good_file_can_be_served() throws IOException {
        assertThat(check("tools: {a: {command: [ls]}}")).isEqualTo(ExitCode.OK);
        assertThat(out()).isEqualTo("tools.yaml: can be served\n");
    }

    @Test
    void a_secret_that_would_be_refused_when_it_is_used_is_a_warning() throws IOException {
        var secret = Files.writeString(folder.resolve("token"), "s3cret");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
        var file = "tools: {a: {command: [ls], env: {TOKEN: {file: token}}}}";
        assertThat(check(file)).isEqualTo(ExitCode.OK);
        assertThat(out())
                .contains("warning: tools.a.env.TOKEN.file: other users can read or write the secret in token:"
                        + " chmod 600 token.");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        assertThat(check(file)).isEqualTo(ExitCode.OK);
        assertThat(out()).isEqualTo("tools.yaml: can be served\n");
    }

    @Test
    void each_mistake_is_a_line_and_the_exit_code_says_that_there_are_some() throws IOException {
        assertThat(check(BAD)).isEqualTo(ExitCode.USAGE);
        assertThat(out()).isEqualTo("""
                tools.yaml:2:21: tools.a.command[1]: {x} is no input of this tool. It has no inputs.\
                 Write {{x}} where the braces are meant as such.
                tools.yaml:2:38: tools.a.timeout: must be a duration, but is "3".\
                 Write a number and a unit, such as 90s, 5m, 1h30m or 2d.
                tools.yaml:3:7: tools.b.comand: is no field that Longhaul knows here. Did you mean command?
                """);
    }

    @Test
    void mistakes_are_json_for_programs() throws IOException {
        assertThat(check(BAD, "--output", "json")).isEqualTo(ExitCode.USAGE);
        var json = JsonText.read(user.out());
        assertThat(json.path("mistakes")).hasSize(3);
        assertThat(json.at("/mistakes/2"))
                .hasToString("{\"line\":3,\"column\":7,\"field\":\"tools.b.comand\","
                        + "\"problem\":\"is no field that Longhaul knows here\",\"fix\":\"Did you mean command?\"}");
    }

    @Test
    void what_was_taken_in_silence_is_a_warning() throws IOException {
        assertThat(check("""
                tools:
                  a:
                    input: {unused: string, size: {type: integer, minimum: 9, maximum: 1}, asked: string}
                    command: [no-such-program, "{size}"]
                    elicit: {message: "Take {asked}?", fields: {sure: boolean}}
                    inherit: [PATH_OF_NOBODY]
                """)).isEqualTo(ExitCode.OK);
        assertThat(out()).isEqualTo("""
                tools.yaml:3:21: warning: tools.a.input.unused: reaches no command: {unused} is nowhere.\
                 Use it in command, or remove it.
                tools.yaml:3:60: warning: tools.a.input.size.minimum: is above maximum,\
                 so that no value is allowed. Swap them.
                tools.yaml:6:15: warning: tools.a.inherit[0]: is a variable that is not set here.\
                 Set it where the server is started.
                tools.yaml: warning: tools.a: there is no program no-such-program here. Install it.
                tools.yaml: can be served
                """);
    }

    @Test
    void what_a_server_would_refuse_when_it_starts_is_a_mistake() throws IOException {
        assertThat(check("tools: {a: {input: {size: {type: integer, default: big}}, command: [ls, \"{size}\"]}}"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(out()).contains("tools.a: cannot be served: ").contains("default");
    }

    @Test
    void a_file_that_is_not_there_is_a_mistake() {
        user = TestTerminal.silent();
        assertThat(new Cli(user.terminal()).run(List.of("check", folder + "/none.yaml")))
                .isEqualTo(ExitCode.USAGE);
        assertThat(out()).isEqualTo("none.yaml: there is no such file. Name a YAML file that lists tools.\n");
    }
}

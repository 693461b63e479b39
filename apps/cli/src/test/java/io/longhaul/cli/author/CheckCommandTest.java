// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.author;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.text.JsonText;
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
                    approve: "Take {asked}?"
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
        var input = "{type: object, properties: {b: {$ref: '#c'}}}";
        assertThat(check("tools: {a: {inputSchema: " + input + ", command: [ls, '{b}']}}"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(out()).contains("tools.a: cannot be served: ");
    }

    @Test
    void a_default_of_another_type_has_its_place() throws IOException {
        assertThat(check("tools: {a: {input: {size: {type: integer, default: big}}, command: [ls, \"{size}\"]}}"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(out())
                .isEqualTo("tools.yaml:1:52: tools.a.input.size.default: the default \"big\" does not fit:"
                        + " string found, integer expected. Give one that its schema allows.\n");
    }

    @Test
    void a_variable_that_nothing_fills_in_is_a_mistake() throws IOException {
        assertThat(check("tools: {a: {command: [ls], env: {API_KEY: '${API_KEY}'}}}"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(out()).contains("{env: API_KEY}");
        assertThat(check("tools: {a: {command: [ls], env: {API_KEY: {env: HOME}}}}"))
                .isEqualTo(ExitCode.OK);
        assertThat(check("tools: {a: {command: [ls], env: {GIT_SSH_COMMAND: 'ssh -i $HOME/key'}}}"))
                .isEqualTo(ExitCode.OK);
        assertThat(out()).contains("warning: tools.a.env.GIT_SSH_COMMAND: has $HOME, which stays as it is");
    }

    @Test
    void warnings_stand_beside_mistakes() throws IOException {
        assertThat(check("""
                tools:
                  a: {command: [no-such-program], inherit: [PATH_OF_NOBODY], timeout: 3}
                  b: {input: {folder: string}, command: [ls, "{foldr}"]}
                """)).isEqualTo(ExitCode.USAGE);
        assertThat(out()).isEqualTo("""
                tools.yaml:2:71: tools.a.timeout: must be a duration, but is "3".\
                 Write a number and a unit, such as 90s, 5m, 1h30m or 2d.
                tools.yaml:3:46: tools.b.command[1]: {foldr} is no input of this tool. Did you mean folder?\
                 Write {{foldr}} where the braces are meant as such.
                tools.yaml:2:45: warning: tools.a.inherit[0]: is a variable that is not set here.\
                 Set it where the server is started.
                tools.yaml: warning: tools.a: there is no program no-such-program here. Install it.
                """);
    }

    @Test
    void words_that_only_a_shell_reads_are_warnings_where_no_shell_reads_them() throws IOException {
        assertThat(check("""
                tools:
                  a: {command: [ls, -l, "*.txt", "|", wc, "&&", ls, ">", out.txt, "2>&1", "$HOME", "~/data", "$(pwd)"]}
                  b: {command: [nice, -n, "5", cat, "logs/*"]}
                  c: {command: ["ls -l"]}
                  d: {input: {folder: string}, command: [ls, "{folder}/*.txt"]}
                  e: {command: [ps, -ef, "|", wc]}
                """)).isEqualTo(ExitCode.OK);
        assertThat(out().lines().filter(line -> line.contains(" warning: ")))
                .extracting(line -> line.replaceFirst("^tools.yaml(:\\d+:\\d+)?: warning: tools\\.", "")
                        .replaceFirst("\\. (Have one|Make each|Install).*", ""))
                .containsExactly(
                        "a.command[2]: \"*.txt\" is a pattern of names, which no shell reads here",
                        "a.command[3]: \"|\" is an operator of a shell, and no shell reads it here",
                        "a.command[5]: \"&&\" is an operator of a shell, and no shell reads it here",
                        "a.command[7]: \">\" is an operator of a shell, and no shell reads it here",
                        "a.command[9]: \"2>&1\" is an operator of a shell, and no shell reads it here",
                        "a.command[10]: \"$HOME\" has $HOME, which no shell reads here",
                        "a.command[11]: \"~/data\" begins with ~, which no shell reads here",
                        "a.command[12]: \"$(pwd)\" is a command in a command, which no shell reads here",
                        "b.command[4]: \"logs/*\" is a pattern of names, which no shell reads here",
                        "c.command[0]: \"ls -l\" is a whole command line, which no shell takes apart",
                        "d.command[1]: \"{folder}/*.txt\" is a pattern of names, which no shell reads here",
                        "e.command[2]: \"|\" is an operator of a shell, and no shell reads it here",
                        "c: there is no program ls -l here");
        assertThat(out())
                .contains("reads here. Have one read the command: [sh, -c, '...'], with values as \"$1\" behind it.\n");
    }

    @Test
    void the_same_words_are_fine_where_a_shell_or_the_program_reads_them() throws IOException {
        assertThat(check("""
                tools:
                  a:
                    input: {name: string}
                    command: [sh, -c, 'ls ~/x *.txt | wc -l > out && echo $HOME ${HOME} $(pwd) "$1"', sh, "{name}"]
                  b: {command: [find, ., -name, "*.txt", -exec, ls, "{}", ";"]}
                  c: {command: [cut, -d, "|", -f, "1"]}
                  d: {command: [tar, czf, a.tgz, --exclude, "*.o", "--exclude=*.a", .]}
                  e: {command: [grep, -rn, "a*b$", .]}
                  f: {command: [expr, "3", "*", "4"]}
                  g: {command: [sed, 's/$/;/', x]}
                  h: {command: [awk, '{print $1}', x]}
                  k: {command: [envsubst, "${HOST} $PORT"]}
                  l: {command: [jq, -n, "$ENV.PATH"]}
                  i: {command: [git, ls-files, "*.java"]}
                  j: {command: [ls, "HEAD~1", "a&b=c", "100%", "$5", "a|b"]}
                """.replace("git, ", "env, git, "), "--output", "json"))
                .isEqualTo(ExitCode.OK);
        assertThat(JsonText.read(user.out()).path("warnings").valueStream())
                .filteredOn(warning -> !warning.path("problem").asString("").contains("there is no program"))
                .isEmpty();
    }

    @Test
    void an_optional_input_that_reaches_no_command_has_its_place() throws IOException {
        assertThat(check("tools: {a: {input: {'opt?': string}, command: [ls]}}"))
                .isEqualTo(ExitCode.OK);
        assertThat(out())
                .startsWith("tools.yaml:1:29: warning: tools.a.input.opt?: reaches no command: {opt} is nowhere.");
    }

    @Test
    void an_input_that_reaches_no_command_may_reach_a_script_of_the_folder() throws IOException {
        Files.writeString(folder.resolve("hash.py"), "");
        assertThat(check("tools: {a: {input: {opt: string}, command: [python3, hash.py]}}"))
                .isEqualTo(ExitCode.OK);
        assertThat(out()).doesNotContain("reaches no command");
        assertThat(check("tools: {a: {input: {opt: string}, command: [python3, other.py]}}"))
                .isEqualTo(ExitCode.OK);
        assertThat(out()).contains("tools.a.input.opt: reaches no command");
    }

    @Test
    void quotes_that_stay_in_a_default_are_a_warning() throws IOException {
        assertThat(check("tools: {a: {input: {note: 'string = \"none\"'}, command: [ls, '{note}']}}"))
                .isEqualTo(ExitCode.OK);
        assertThat(out())
                .startsWith(
                        "tools.yaml:1:27: warning: tools.a.input.note: the quotes of the default \"none\" stay in it."
                                + " Write string = none.\n");
    }

    @Test
    void a_file_that_is_not_there_is_a_mistake() {
        user = TestTerminal.silent();
        assertThat(new Cli(user.terminal()).run(List.of("check", folder + "/none.yaml")))
                .isEqualTo(ExitCode.USAGE);
        assertThat(out()).isEqualTo("none.yaml: there is no such file. Name a YAML file that lists tools.\n");
    }
}

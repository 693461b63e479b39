// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.longhaul.cli.Cli;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.server.FileServer;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.engine.store.StoreException;
import io.longhaul.file.ServerFile;
import io.longhaul.protocol.WireLimits;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.transport.Stdio;
import io.longhaul.transport.http.Http;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real servers on free ports, real jobs, and the command line against them. */
@Timeout(120)
class ServedFileTest {
    private static final Path EXAMPLES = Path.of("../../examples/yaml");

    @TempDir
    Path folder;

    private final List<FileServer> servers = new ArrayList<>();
    private TestTerminal user;

    @BeforeEach
    void sitDown() {
        user = TestTerminal.silent();
    }

    @AfterEach
    void stop() {
        servers.forEach(FileServer::close);
    }

    @Test
    void a_slow_report_asks_before_it_begins() throws IOException {
        var url = serve(EXAMPLES.resolve("slow-report.yaml"));
        var tree = tree();
        assertThat(run("call", url, "folder_report", "folder=" + tree, "--answer", "depth=duplicates", "--yes"))
                .isZero();
        assertThat(user.err())
                .contains("slow-report asks: The report on")
                .contains("(answered: {\"depth\":\"duplicates\"");
        assertThat(user.out())
                .startsWith("# Folder report\n\n2 files, 12 bytes in " + tree)
                .contains("## There more than once\n" + tree + "/a.txt\n" + tree + "/b.txt")
                .doesNotContain("PROGRESS");
    }

    @Test
    void who_cannot_be_asked_is_told_so_at_once() throws IOException {
        var url = serve(EXAMPLES.resolve("slow-report.yaml"));
        assertThat(run("call", url, "folder_report", "folder=" + tree())).isEqualTo(6);
        assertThat(user.err())
                .contains("the caller did not declare that it can be asked that")
                .contains("longhaul: without a terminal, add --yes, or --answer FIELD=VALUE for a field of a form;");
    }

    @Test
    void an_answer_that_does_not_fit_is_told_with_what_is_wrong() throws IOException {
        var url = serve(EXAMPLES.resolve("slow-report.yaml"));
        assertThat(run("call", url, "folder_report", "folder=" + tree(), "--answer", "depth=all"))
                .isEqualTo(6);
        assertThat(user.err()).contains("(\"depth\" must be one of sizes, duplicates)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25", "sep-1686", "sep-1391", "tools-async", "2025-06-18"})
    void a_question_that_yes_cannot_answer_has_an_exit_code_of_its_own(String generation) throws IOException {
        var file = Files.writeString(folder.resolve("greet.yaml"), """
                tools:
                  greet:
                    command: [echo, "Hello, {who.name}."]
                    elicit: {key: who, message: Who is there?, fields: {name: string}}
                """);
        var url = serve(file);
        assertThat(run("call", url, "greet", "--yes", "--generation", generation))
                .isEqualTo(6);
        assertThat(user.err())
                .contains("the server asks what --answer and --yes do not tell: Who is there?")
                .contains("\"name\" needs a value");
        assertThat(run("call", url, "greet", "--answer", "name=Ada", "--generation", generation))
                .isZero();
        assertThat(user.out()).endsWith("Hello, Ada.\n");
    }

    @Test
    void callers_see_the_hints_and_icons_of_a_tool_and_the_form_of_its_inputs() throws IOException {
        var url = serve(Files.writeString(folder.resolve("plot.yaml"), """
                tools:
                  plot:
                    input: {at: {fields: {x: number, y: number}}}
                    command: [echo, "{at}"]
                    hints: {readOnly: true, destructive: false, idempotent: false, openWorld: false}
                    icons: ["https://example.com/plot.png"]
                """));
        assertThat(run("tools", url, "--output", "json")).isZero();
        var tool = JsonText.read(user.out()).findValue("tools").get(0);
        assertThat(tool.path("annotations"))
                .hasToString("{\"readOnlyHint\":true,\"destructiveHint\":false,\"openWorldHint\":false}");
        assertThat(tool.at("/icons/0/src").asString()).isEqualTo("https://example.com/plot.png");
        assertThat(run("call", url, "plot", "at={\"x\":1,\"y\":2}")).isZero();
        assertThat(user.out()).endsWith("{\"x\":1,\"y\":2}\n");
        assertThat(run("call", url, "plot", "at={\"x\":1}")).isNotZero();
    }

    @Test
    void an_archive_is_converted() throws Exception {
        var url = serve(EXAMPLES.resolve("convert.yaml"));
        tree();
        var tar = new ProcessBuilder("tar", "-czf", "tree.tar.gz", "tree").directory(folder.toFile());
        assertThat(tar.start().waitFor()).isZero();
        assertThat(run("call", url, "convert", "archive=" + folder.resolve("tree.tar.gz"), "to=bz2"))
                .isZero();
        assertThat(folder.resolve("tree.tar.bz2")).isNotEmptyFile();
        assertThat(user.out()).contains(folder + "/tree.tar.bz2: ");
        assertThat(run("call", url, "convert", "archive=/nowhere.tar.gz", "to=bz2"))
                .isEqualTo(1);
    }

    @Test
    void a_task_is_left_answered_watched_and_fetched_by_others() throws IOException {
        var url = serve(EXAMPLES.resolve("slow-report.yaml"));
        assertThat(run("call", url, "folder_report", "folder=" + tree(), "--detach"))
                .isZero();
        var reference = user.out().strip();
        var id = reference.split("/")[3];
        awaitQuestion(url, id);
        assertThat(run("tasks", "answer", reference, "dept=sizes")).isEqualTo(2);
        assertThat(user.err()).contains("the question has no field \"dept\". Did you mean depth?");
        assertThat(run("tasks", "answer", url, id, "depth=sizes", "title=Mine")).isZero();
        assertThat(run("tasks", "watch", url, id)).isZero();
        assertThat(run("tasks", "result", url, id)).isZero();
        assertThat(user.out()).contains("# Mine");
        assertThat(run("tasks", "list", url, "--output", "json")).isZero();
        assertThat(user.out()).contains("\"id\" : \"" + id + "\"");
        assertThat(run("attach", reference)).isZero();
        assertThat(run("tasks", "get", url, "nosuch")).isEqualTo(3);
    }

    @Test
    void a_value_stays_one_argument_whatever_it_holds() throws IOException {
        var file = Files.writeString(folder.resolve("echo.yaml"), """
                tools:
                  show:
                    input: {text: string, more: "string[]", maybe: string?}
                    command: [printf, '<%s>', "{text}", "{more}", [--maybe, "{maybe}"]]
                    quick: true
                """);
        assertThat(run("call", serve(file), "show", "text=$(id); 'a b' \"c\"", "more=x y", "more=*"))
                .isZero();
        assertThat(user.out()).isEqualTo("<$(id); 'a b' \"c\"><x y><*>\n");
    }

    @Test
    void the_first_tool_of_the_readme_deletes_nothing() throws IOException {
        var readme = Files.readString(Path.of("../../README.md"));
        var yaml =
                readme.substring(readme.indexOf("# reports.yaml"), readme.indexOf("```", readme.indexOf("# reports")));
        var file = Files.writeString(folder.resolve("reports.yaml"), yaml);
        var tree = tree();
        var url = serve(file);
        assertThat(run("call", url, "hash_tree", "folder=-delete")).isEqualTo(1);
        assertThat(user.err()).contains("the tool failed").doesNotContain("something went wrong");
        assertThat(user.out())
                .startsWith("The argument 'folder' must not begin with a dash")
                .contains("Nothing was run.");
        assertThat(run("call", url, "hash_tree", "folder=!")).isEqualTo(1);
        assertThat(run("call", url, "hash_tree", "folder=" + tree)).isZero();
        assertThat(user.out()).contains("  ./a.txt\n").contains("  ./b.txt\n");
        assertThat(file).exists();
        assertThat(tree.resolve("a.txt")).exists();
    }

    @Test
    void a_value_that_begins_with_a_dash_reaches_no_program_through_a_script() throws IOException {
        var file = Files.writeString(folder.resolve("find.yaml"), """
                tools:
                  find: {input: {folder: string}, command: [sh, -c, 'find "$1"', sh, "{folder}"]}
                  behind: {input: {folder: string}, command: [sh, -c, 'find "$@"', sh, --, "{folder}"]}
                  quick: {input: {folder: string}, command: [find, "{folder}"], quick: true}
                  list: {input: {folders: "string[]"}, command: [find, "{folders}"]}
                """);
        var url = serve(file);
        for (var tool : List.of("find", "behind", "quick")) {
            assertThat(run("call", url, tool, "folder=-delete")).isEqualTo(1);
        }
        assertThat(run("call", url, "list", "folders=" + folder, "folders=-delete"))
                .isEqualTo(1);
        assertThat(user.out().lines()).hasSize(4).allMatch(line -> line.contains("must not begin with a dash"));
        assertThat(file).exists();
    }

    @Test
    void a_tool_can_allow_values_that_begin_with_a_dash() throws IOException {
        var file = Files.writeString(folder.resolve("greet.yaml"), """
                tools:
                  greet: {input: {name: string}, command: [sh, -c, 'echo "hello $1"', sh, "{name}"], dashes: allowed}
                """);
        assertThat(run("call", serve(file), "greet", "name=-n")).isZero();
        assertThat(user.out()).isEqualTo("hello -n\n");
    }

    @Test
    void a_value_that_is_refused_is_told_before_anything_is_asked() throws IOException {
        var url = serve(EXAMPLES.resolve("slow-report.yaml"));
        assertThat(run("call", url, "folder_report", "folder=-delete", "--yes")).isEqualTo(1);
        assertThat(user.out()).contains("The argument 'folder' must not begin with a dash");
        assertThat(user.err()).doesNotContain("asks:");
    }

    @Test
    void all_that_was_asked_on_a_pipe_is_answered_though_its_input_has_ended() throws Exception {
        var file = Files.writeString(folder.resolve("slow.yaml"), """
                tools:
                  wait:
                    input: {name: string}
                    command: [sh, -c, 'sleep 0.3; echo "waited for $1"', sh, "{name}"]
                    quick: true
                """);
        var input = """
                {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
                "capabilities":{},"clientInfo":{"name":"pipe","version":"1"}}}
                {"jsonrpc":"2.0","method":"notifications/initialized"}
                {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait","arguments":{"name":"Ada"}}}
                """;
        var output = new ByteArrayOutputStream();
        var stdio = Stdio.over(new ByteArrayInputStream(input.getBytes(UTF_8)), output, WireLimits.DEFAULT);
        try (var server =
                FileServer.start(ServerFile.read(file), new DataFolder(folder.resolve("data"), DataKeys.NONE), stdio)) {
            server.awaitEnd();
        }
        assertThat(output.toString(UTF_8).lines())
                .anyMatch(line -> line.contains("\"id\":1") && line.contains("serverInfo"))
                .anyMatch(line -> line.contains("\"id\":2") && line.contains("waited for Ada"));
    }

    @Test
    void a_data_folder_has_one_server_at_a_time() throws IOException {
        serve(EXAMPLES.resolve("convert.yaml"));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> serve(EXAMPLES.resolve("convert.yaml")))
                .withMessageContaining(
                        "is in use by process " + ProcessHandle.current().pid());
    }

    @Test
    void a_server_that_can_take_no_connection_any_more_ends_and_says_so() throws IOException {
        var port = URI.create(serve(EXAMPLES.resolve("convert.yaml"))).getPort();
        // The end of a listening socket looks the same from whatever cause.
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("http-listener-" + port))
                .forEach(Thread::interrupt);
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> servers.getFirst().awaitEnd())
                .withMessageContainingAll("No connection can be taken any more at http://127.0.0.1:" + port, "again");
    }

    @Test
    void a_server_that_is_not_there_is_told() {
        assertThat(run("call", "http://127.0.0.1:1/mcp", "x")).isEqualTo(4);
        assertThat(user.err())
                .startsWith("longhaul: ")
                .contains("http://127.0.0.1:1/mcp")
                .doesNotContain("\tat ");
    }

    private String serve(Path file) throws IOException {
        var http = Http.onPort(0);
        servers.add(
                FileServer.start(ServerFile.read(file), new DataFolder(folder.resolve("data"), DataKeys.NONE), http));
        return http.url().toString();
    }

    private void awaitQuestion(String url, String id) {
        do {
            assertThat(run("tasks", "get", url, id)).isZero();
            assertThat(user.out()).doesNotContainPattern("state +(completed|failed|cancelled)");
        } while (!user.out().contains("state     input_required"));
    }

    private Path tree() throws IOException {
        var tree = Files.createDirectories(folder.resolve("tree"));
        Files.writeString(tree.resolve("a.txt"), "hello\n");
        Files.writeString(tree.resolve("b.txt"), "hello\n");
        return tree;
    }

    private int run(String... line) {
        return new Cli(user.terminal()).run(List.of(line));
    }
}

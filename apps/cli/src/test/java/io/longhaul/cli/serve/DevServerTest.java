// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.longhaul.cli.StartedJvm;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.server.FileServer;
import io.longhaul.file.ServerFile;
import io.longhaul.file.settings.PortAddress;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.talk.Messages;
import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.WebRequests;
import io.longhaul.transport.http.Http;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a developer sees of the messages of a file's clients: real processes of {@code serve --dev}. */
@Timeout(120)
class DevServerTest {

    private static final String TOOLS = """
        tools:
          greet:
            input: {name: string, code: {type: string, format: password}, token: string}
            command: [echo, 'hello {name}', '{code}', '{token}']
            quick: true
          other: {command: [echo, hello], quick: true}
        """;
    private static final String ARGUMENTS = "{\"name\":\"Ada\",\"code\":\"code-word-1\",\"token\":\"eyJhbGciOi.7f3a\"}";

    @TempDir
    Path folder;

    private Process process;

    private BufferedReader start(String... options) throws IOException {
        var command = new ArrayList<>(StartedJvm.program());
        var file = Files.writeString(folder.resolve("tools.yaml"), TOOLS).toString();
        command.addAll(List.of("serve", "--data", folder.resolve("data").toString()));
        command.addAll(List.of(options));
        command.add(file);
        process = new ProcessBuilder(command).start();
        return process.errorReader(UTF_8);
    }

    @AfterEach
    void stop() {
        if (process != null) {
            process.destroy();
            process.onExit().join();
        }
    }

    /** The lines up to one with a text. */
    private static List<String> until(String text, BufferedReader lines) throws IOException {
        var all = new ArrayList<String>();
        do {
            var line = lines.readLine();
            assertThat(line).as("after " + all).isNotNull();
            all.add(line);
        } while (!all.getLast().contains(text));
        return all;
    }

    private static String behind(String text, List<String> lines) {
        return lines.getLast().substring(lines.getLast().indexOf(text) + text.length());
    }

    private static List<String> messages(List<String> lines) {
        return lines.stream()
                .filter(line -> line.contains("io.longhaul.messages"))
                .toList();
    }

    @Test
    void messages_are_at_the_terminal_and_in_the_console_without_secrets() throws Exception {
        var lines = start("--dev", "--http=0");
        var url = URI.create(behind("longhaul: at ", until("longhaul: at ", lines)));
        var link = URI.create(behind("console at ", until("console at ", lines)));
        var client = new StatelessClient<>(WebRequests.to(url).with("Authorization", "Bearer header-secret"), "{}");
        assertThat(client.call("greet", ARGUMENTS).response()).contains("code-word-1");
        var seen = messages(until("<- result of tools/call greet", lines));
        assertThat(seen).hasSize(2);
        assertThat(seen.getFirst())
                .contains(" t -> tools/call greet, ", "{\"name\":\"Ada\",\"code\":\"***\",\"token\":\"***\"}");
        assertThat(seen.getLast()).contains("hello Ada *** ***");
        var token = "Bearer " + link.getFragment().substring("token=".length());
        try (var feed = WebRequests.to(link.resolve("events"))
                .with("Authorization", token)
                .get(Map.of())) {
            assertThat(feed.next().orElseThrow().data()).contains("\"messages\":true");
            var call = Messages.read(feed.next().orElseThrow().data());
            while (!call.path("type").asString().equals("message")) {
                call = Messages.read(feed.next().orElseThrow().data());
            }
            assertThat(call.path("what").asString()).isEqualTo("tools/call");
            assertThat(call.path("client").asString()).isEqualTo("t");
            assertThat(call.toString()).contains("Ada").doesNotContain("code-word", "eyJ", "header-secret");
        }
        assertThat(seen).noneMatch(line -> line.contains("header-secret"));
    }

    @Test
    void the_lines_of_one_tool_are_shown_alone() throws Exception {
        var lines = start("--dev", "tool=other", "--http=0");
        var url = URI.create(behind("longhaul: at ", until("longhaul: at ", lines)));
        var client = StatelessClient.to(url, "{}");
        assertThat(client.call("greet", ARGUMENTS).response()).contains("hello");
        assertThat(client.call("other", "{}").response()).contains("hello");
        assertThat(messages(until("<- result of tools/call other", lines)))
                .hasSize(2)
                .allMatch(line -> line.contains("tools/call other"));
    }

    @Test
    void over_stdio_the_lines_are_on_standard_error_and_the_protocol_alone_on_standard_output() throws Exception {
        var lines = start("--dev", "--stdio");
        try (var in = process.outputWriter(UTF_8);
                var out = process.inputReader(UTF_8)) {
            in.write(Messages.request(1, "initialize", Messages.opening("2025-11-25", "{}")) + "\n"
                    + Messages.notification("notifications/initialized", "{}") + "\n"
                    + Messages.request(2, "tools/call", Messages.call("greet", ARGUMENTS)) + "\n");
            in.flush();
            var answer = Messages.read(out.readLine());
            while (answer.path("id").asInt() != 2) {
                answer = Messages.read(out.readLine());
            }
            assertThat(answer.toString()).contains("hello Ada");
            var seen = messages(until("<- result of tools/call greet", lines));
            assertThat(seen)
                    .anyMatch(line -> line.contains(" t #1 -> tools/call greet, "))
                    .noneMatch(line -> line.contains("code-word"));
        }
    }

    @Test
    void without_the_option_no_message_is_kept_or_logged() throws Exception {
        var lines = start("--http=0", "--console");
        var url = URI.create(behind("longhaul: at ", until("longhaul: at ", lines)));
        var link = URI.create(behind("console at ", until("console at ", lines)));
        assertThat(StatelessClient.to(url, "{}").call("other", "{}").response()).contains("hello");
        assertThat(messages(until("other result in", lines))).isEmpty();
        var token = "Bearer " + link.getFragment().substring("token=".length());
        try (var feed = WebRequests.to(link.resolve("events"))
                .with("Authorization", token)
                .get(Map.of())) {
            assertThat(feed.next().orElseThrow().data()).contains("\"messages\":false");
        }
    }

    private ServerFile read(String... line) throws IOException {
        var file = ServerFile.read(Files.writeString(folder.resolve("tools.yaml"), TOOLS));
        var arguments = Arguments.parse(List.of(line), ServeOptions.ALL);
        return RecordingOptions.over(PortOptions.over(file, arguments), arguments);
    }

    @Test
    void a_developer_gets_a_console_at_a_free_port_or_where_it_was_asked_for() throws IOException {
        assertThat(read("--dev").console()).contains(PortAddress.FREE);
        assertThat(read("--dev", "--console", "9090").console().orElseThrow().port())
                .isEqualTo(9090);
        assertThat(read().console()).isEmpty();
        assertThat(read().recording().messages()).isEmpty();
    }

    @Test
    void a_server_for_other_machines_warns_of_the_data_of_its_callers() throws IOException {
        var warning = "warning: --dev is for development: messages contain the data of all callers";
        var data = new DataFolder(folder.resolve("data"), DataKeys.NONE);
        try (var server = FileServer.start(read("--dev"), data, Http.onPort(0).bindAddress("0.0.0.0"))) {
            assertThat(server.announcement()).contains(warning);
        }
        try (var server = FileServer.start(read("--dev"), data, Http.onPort(0))) {
            assertThat(server.announcement()).doesNotContain(warning);
        }
    }

    @Test
    void a_filter_names_a_client_a_tool_or_a_task_and_anything_else_is_told() throws IOException {
        assertThat(read("--dev", "client=ide", "--dev=tool=greet").recording().messages())
                .contains(Map.of("client", "ide", "tool", "greet"));
        assertThat(read("--dev", "tools.yaml").recording().messages()).contains(Map.of());
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> read("--dev=greet"))
                .withMessage("--dev \"greet\" is no filter. Write one such as tool=deploy, or none.");
    }
}

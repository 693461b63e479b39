// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.ToolInfo;
import io.longhaul.file.ServerFile;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.server.annotation.McpTool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** An application whose server has tools of beans and of a file. */
@Timeout(300)
class FileInApplicationTest {

    /** The command says that it runs, and then waits for what it shall print. */
    private static final String TOOLS = """
        tools:
          relay:
            description: Prints what it is given
            command: [sh, -c, 'echo begun > begun; cat given']
          size: {command: [wc, -c, tools.yaml]}
        """;

    private static final String TRIGGER = "triggers: {again: {tool: relay, secret: {file: secret}}}\n";

    @TempDir
    private Path folder;

    private int port;
    private RemoteCall<CallOutcome> call;

    static class Beans {
        @McpTool(description = "Greets")
        String greet() {
            return "Hello";
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Beans beans() {
            return new Beans();
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("alice").password("{noop}a").roles("USER").build());
        }

        /** As an application of Boot, and open to those that show a signature. */
        @Bean
        SecurityFilterChain rules(HttpSecurity http) {
            return http.authorizeHttpRequests(each -> each.requestMatchers("/triggers/*")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        public static void main(String... arguments) {
            var context = new SpringApplicationBuilder(Application.class).run(arguments);
            System.out.println("port " + context.getEnvironment().getProperty("local.server.port"));
        }
    }

    private record Running(Process process, URI url) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            process.destroyForcibly().onExit().join();
        }
    }

    /** Starts the application, and waits until it serves. */
    private Running start(int port) throws IOException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Application.class.getName(),
                        "--server.port=" + port,
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=error",
                        "--longhaul.store.path=" + folder.resolve("tasks.db"),
                        "--longhaul.jobs=" + folder.resolve("jobs"),
                        "--longhaul.file=" + folder.resolve("tools.yaml").toUri())
                .redirectErrorStream(true)
                .start();
        var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        var said = new StringBuilder();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("port ")) {
                return new Running(process, URI.create("http://127.0.0.1:" + line.substring(5) + "/mcp"));
            }
            said.append(line).append('\n');
        }
        throw new IllegalStateException("the application has not started:\n" + said);
    }

    private void pipe(String name) throws IOException {
        new ProcessBuilder("mkfifo", folder.resolve(name).toString())
                .start()
                .onExit()
                .join();
    }

    @Test
    void a_command_of_the_file_goes_on_when_the_application_is_killed_and_started_again() throws Exception {
        Files.writeString(folder.resolve("tools.yaml"), TOOLS);
        pipe("begun");
        pipe("given");
        try (var client = begun();
                var again = start(port)) {
            Files.writeString(folder.resolve("given"), "printed after a restart");
            assertThat(call.await().toString()).contains("printed after a restart");
            assertThat(client.call("greet", Map.of()).await().toString()).contains("Hello");
        }
    }

    /** A client of an application that is killed while a command of the file runs. */
    private McpClient begun() throws IOException {
        try (var killed = start(0)) {
            port = killed.url().getPort();
            var client = McpClient.to(killed.url())
                    .header("Authorization", "Basic " + Base64.getEncoder().encodeToString("alice:a".getBytes(UTF_8)))
                    .connect();
            assertThat(client.tools())
                    .extracting(ToolInfo::name)
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(Stream.of("greet"), tools()).toList());
            call = client.call("relay", Map.of());
            assertThat(Files.readString(folder.resolve("begun"))).isEqualTo("begun\n");
            return client;
        }
    }

    /** The tools that the command would serve. */
    private Stream<String> tools() {
        return ServerFile.read(folder.resolve("tools.yaml")).tools().stream().map(ToolEntry::name);
    }

    @Test
    void fields_that_only_the_command_follows_stop_the_start() throws IOException {
        var file = Files.writeString(folder.resolve("tools.yaml"), TOOLS + "console: 8081");
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LonghaulAutoConfiguration.class))
                .withPropertyValues(
                        "longhaul.store.path=" + folder.resolve("tasks.db"),
                        "longhaul.jobs=" + folder.resolve("jobs"),
                        "longhaul.file=" + file.toUri())
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("console"));
    }

    @Test
    void a_trigger_of_the_file_calls_its_tool_at_the_address_of_the_application() throws Exception {
        Files.writeString(folder.resolve("secret"), "one that nobody knows");
        Files.setPosixFilePermissions(folder.resolve("secret"), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(folder.resolve("tools.yaml"), TOOLS + TRIGGER);
        pipe("begun");
        try (var application = start(0)) {
            assertThat(delivered(application.url().resolve("/triggers/again"), "another secret"))
                    .isEqualTo(401);
            assertThat(delivered(application.url().resolve("/triggers/again"), "one that nobody knows"))
                    .isEqualTo(202);
            assertThat(Files.readString(folder.resolve("begun"))).isEqualTo("begun\n");
        }
    }

    /** The status of the answer to a delivery that is signed as Standard Webhooks says. */
    private static int delivered(URI trigger, String secret) throws Exception {
        var time = Instant.now().getEpochSecond();
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        var signature = Base64.getEncoder().encodeToString(mac.doFinal(("one." + time + ".{}").getBytes(UTF_8)));
        var request = HttpRequest.newBuilder(trigger)
                .header("Content-Type", "application/json")
                .header("webhook-id", "one")
                .header("webhook-timestamp", Long.toString(time))
                .header("webhook-signature", "v1," + signature)
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        try (var http = HttpClient.newHttpClient()) {
            return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
        }
    }
}

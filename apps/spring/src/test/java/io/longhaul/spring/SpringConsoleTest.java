// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.TaskContext;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpTool;
import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.WebRequests;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** The console of an application with Spring Security, below a path of the application. */
@Timeout(60)
class SpringConsoleTest {

    private static final String ADMIN = "Basic " + basic("admin:a");
    private static final String BOB = "Basic " + basic("bob:b");

    private static ConfigurableApplicationContext context;
    private static URI page;

    @AutoClose
    private final HttpClient http = HttpClient.newHttpClient();

    static class Reports {
        @McpTool(description = "Takes its time")
        @McpLongRunning
        String report(TaskContext task) {
            return "the report of " + task.attempt();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Reports reports() {
            return new Reports();
        }

        /** An address by which the container is reached, as a test says it. */
        @Bean
        Filter addresses() {
            return (request, response, chain) -> chain.doFilter(
                    new HttpServletRequestWrapper((HttpServletRequest) request) {
                        @Override
                        public String getLocalAddr() {
                            var to = getHeader("To");
                            return to == null ? super.getLocalAddr() : to;
                        }
                    },
                    response);
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("admin")
                            .password("{noop}a")
                            .authorities("SCOPE_tasks:admin")
                            .build(),
                    User.withUsername("bob").password("{noop}b").roles("USER").build());
        }
    }

    private static String basic(String user) {
        return Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
    }

    @BeforeAll
    static void start(@TempDir Path folder) {
        context = run(folder, "--longhaul.console.enabled=true");
        page = page(context);
    }

    private static ConfigurableApplicationContext run(Path folder, String... more) {
        return new SpringApplicationBuilder(Application.class)
                .properties(
                        "server.port=0",
                        "server.servlet.context-path=/shop",
                        "spring.main.banner-mode=off",
                        "logging.level.root=warn",
                        "longhaul.store.path=" + folder.resolve("tasks.db"))
                .run(more);
    }

    private static URI page(ConfigurableApplicationContext application) {
        var port = application.getEnvironment().getProperty("local.server.port");
        return URI.create("http://localhost:" + port + "/shop/console/");
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private HttpResponse<String> get(URI from, String... headers) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(from);
        return http.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    @Test
    void the_pages_are_behind_the_login_of_the_application() throws Exception {
        assertThat(get(page, "Accept", "application/json").statusCode()).isEqualTo(401);
        var index = get(page, "Authorization", BOB);
        assertThat(index.body())
                .contains("<title>Longhaul console</title>")
                .contains("<meta name=\"endpoint\" content=\"../mcp\">");
        assertThat(index.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'");
        assertThat(get(page.resolve("app.js"), "Authorization", BOB).statusCode())
                .isEqualTo(200);
    }

    @Test
    void an_operator_of_the_application_sees_the_tasks_of_all_users_and_a_user_its_own() throws Exception {
        try (var admin = events(ADMIN);
                var bob = events(BOB)) {
            assertThat(until(admin, "hello")).contains("\"owner\":\"admin\"", "\"operator\":true");
            assertThat(until(bob, "hello")).contains("\"owner\":\"bob\"", "\"operator\":false");
            var other = call(ADMIN);
            var own = call(BOB);
            assertThat(until(admin, other, own, "figures")).contains("\"created\":");
            assertThat(until(bob, own)).doesNotContain(other, "figures");
        }
    }

    @Test
    void the_pages_call_their_own_endpoint_at_an_address_of_the_network() throws Exception {
        assertThat(discover(BOB, "http://" + page.getAuthority())).isEqualTo(200);
        assertThat(discover(BOB, "http://evil.example")).isEqualTo(403);
    }

    private static int discover(String authorization, String origin) {
        var requests = WebRequests.to(page.resolve("../mcp"))
                .with("To", "192.0.2.1")
                .with("Authorization", authorization)
                .with("Origin", origin);
        return new StatelessClient<>(requests, "{}")
                .send("server/discover", "{}")
                .status();
    }

    /** Calls the tool and gives the id of its task. */
    private static String call(String authorization) throws Exception {
        try (var client = McpClient.to(page.resolve("../mcp"))
                .header("Authorization", authorization)
                .connect()) {
            client.call("report", Json.raw("{}")).await();
            return client.tasks().list().getFirst().id();
        }
    }

    private BufferedReader events(String authorization) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(page.resolve("events"))
                .header("Authorization", authorization)
                .build();
        var response = http.send(request, BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    /** What is told until all of these have come. */
    private static String until(BufferedReader events, String... texts) throws IOException {
        var told = new StringBuilder();
        while (!Stream.of(texts).allMatch(text -> told.indexOf(text) >= 0)) {
            told.append(events.readLine());
        }
        return told.toString();
    }

    @Test
    void an_application_that_does_not_ask_for_a_console_has_none(@TempDir Path other) throws Exception {
        try (var plain = run(other)) {
            assertThat(get(page(plain), "Authorization", ADMIN).statusCode()).isEqualTo(404);
        }
    }
}

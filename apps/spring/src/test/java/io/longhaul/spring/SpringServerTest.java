// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolContext;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpTool;
import io.longhaul.testkit.talk.Messages;
import io.longhaul.testkit.talk.WebRequests;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.mcp.annotation.McpToolParam;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import reactor.core.publisher.Mono;

/** A whole application, with Spring Security, a web server, and tools of every kind. */
@Timeout(60)
class SpringServerTest {

    private static final Map<String, Object> NO_ARGUMENTS = Map.of("type", "object");

    private static ConfigurableApplicationContext context;
    private static URI url;

    static class Reports {
        @McpTool(description = "Says who calls")
        String who(ToolContext call) {
            return call.caller().principal().name();
        }

        @McpTool(description = "Needs a scope", scopes = "publish")
        String publish() {
            return "published";
        }

        @McpTool(description = "Takes its time")
        @McpLongRunning
        String report(TaskContext task) throws Exception {
            return task.step("load", String.class, () -> "rows") + " of " + task.attempt();
        }
    }

    /** A bean that others see through a proxy. */
    static class Proxied {
        @McpTool(name = "proxied", description = "Is behind a proxy")
        public String ask() {
            return "from behind";
        }
    }

    static class OfSpringAi {
        @org.springframework.ai.mcp.annotation.McpTool(name = "ai-add", description = "Adds")
        public int add(@McpToolParam(description = "One") int one, @McpToolParam(description = "Other") int other) {
            return one + other;
        }

        @org.springframework.ai.tool.annotation.Tool(name = "ai-shout", description = "Shouts")
        public String shout(String text, org.springframework.ai.chat.model.ToolContext context) {
            return text.toUpperCase(java.util.Locale.ROOT) + " "
                    + (context.getContext().get(CallbackTools.CALL) instanceof TaskContext task ? task.attempt() : "");
        }

        @org.springframework.ai.tool.annotation.Tool(name = "ai-fail", description = "Fails")
        public String fail() {
            throw new IllegalStateException("there is no paper");
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Reports reports() {
            return new Reports();
        }

        @Bean
        @Scope(proxyMode = ScopedProxyMode.TARGET_CLASS)
        Proxied proxied() {
            return new Proxied();
        }

        @Bean
        OfSpringAi springAi() {
            return new OfSpringAi();
        }

        @Bean
        ToolCallbackProvider callbacks(OfSpringAi tools) {
            return ToolCallbackProvider.from(ToolCallbacks.from(tools));
        }

        @Bean
        SyncToolSpecification sdkAsks() {
            return new SyncToolSpecification(
                    McpSchema.Tool.builder("sdk-ask", NO_ARGUMENTS)
                            .description("Asks")
                            .build(),
                    (exchange, request) -> {
                        exchange.progressNotification(new McpSchema.ProgressNotification("t", 1.0, 2.0, "half"));
                        exchange.loggingNotification(
                                McpSchema.LoggingMessageNotification.builder(McpSchema.LoggingLevel.INFO, "asking")
                                        .build());
                        var answer = exchange.createElicitation(McpSchema.ElicitRequest.builder(
                                        "Which?",
                                        Map.of(
                                                "type",
                                                "object",
                                                "properties",
                                                Map.of("which", Map.of("type", "string"))))
                                .build());
                        return CallToolResult.builder(List.of(new McpSchema.TextContent(
                                        exchange.getClientInfo().name() + " chose "
                                                + answer.content().get("which"))))
                                .build();
                    });
        }

        @Bean
        AsyncToolSpecification sdkAdds() {
            return new AsyncToolSpecification(
                    McpSchema.Tool.builder("sdk-add", NO_ARGUMENTS)
                            .description("Adds")
                            .meta(Map.of("com.example/unit", "apples"))
                            .build(),
                    (exchange, request) -> Mono.just(
                            CallToolResult.builder(List.of(new McpSchema.TextContent("sum of " + request.arguments())))
                                    .structuredContent(Map.of("sum", 3))
                                    .meta(Map.of("com.example/digits", 1))
                                    .build()));
        }

        @Bean
        SyncToolSpecification sdkDrops() {
            return new SyncToolSpecification(
                    McpSchema.Tool.builder("sdk-drop", NO_ARGUMENTS).build(), (exchange, request) -> {
                        throw new CancellationException("a future of the tool was cancelled");
                    });
        }

        @Bean
        SyncToolSpecification sdkRefuses() {
            return new SyncToolSpecification(
                    McpSchema.Tool.builder("sdk-refuse", NO_ARGUMENTS).build(), (exchange, request) -> {
                        throw outOfPaper();
                    });
        }

        @Bean
        AsyncToolSpecification sdkRefusesLater() {
            return new AsyncToolSpecification(
                    McpSchema.Tool.builder("sdk-refuse-later", NO_ARGUMENTS).build(),
                    (exchange, request) -> Mono.error(outOfPaper()));
        }

        private static McpError outOfPaper() {
            return McpError.builder(-32050)
                    .message("out of paper")
                    .data(Map.of("tray", 2))
                    .build();
        }

        @Bean
        Tool quick() {
            return Tool.define("quick").handler((none, call) -> "at once");
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("alice")
                            .password("{noop}a")
                            .authorities("SCOPE_publish")
                            .build(),
                    User.withUsername("bob").password("{noop}b").roles("USER").build());
        }
    }

    @BeforeAll
    static void start(@TempDir Path folder) {
        context = run(folder);
        url = URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/mcp");
    }

    private static ConfigurableApplicationContext run(Path folder) {
        return new SpringApplicationBuilder(Application.class)
                .run(
                        "--server.port=0",
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=warn",
                        "--longhaul.store.path=" + folder.resolve("tasks.db"),
                        "--spring.application.name=reports",
                        "--longhaul.server.version=2.3",
                        "--longhaul.http.keep-alive=1s",
                        "--longhaul.long-running=ai-shout,sdk-add,sdk-refuse-later",
                        "--management.endpoints.web.exposure.include=health,metrics",
                        "--management.endpoint.health.show-details=always");
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private static McpClient client(String user, String password) {
        return McpClient.to(url)
                .header("Authorization", basic(user, password))
                .name("spring-test", "1")
                .answers(QuestionHandler.NONE.forms(
                        form -> new QuestionHandler.Reply.Accepted(Json.raw("{\"which\":\"blue\"}"))))
                .connect();
    }

    private static String call(McpClient client, String tool, String arguments) throws Exception {
        return client.call(tool, Json.raw(arguments)).await().toString();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        try (var web = HttpClient.newHttpClient()) {
            return web.send(
                    HttpRequest.newBuilder(url.resolve(path))
                            .header("Authorization", basic("alice", "a"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void a_user_of_spring_security_is_the_caller_and_others_are_not_served() throws Exception {
        try (var alice = client("alice", "a");
                var bob = client("bob", "b")) {
            assertThat(call(alice, "who", "{}")).contains("alice");
            assertThat(call(bob, "who", "{}")).contains("bob");
            assertThat(bob.server().name()).isEqualTo("reports");
            assertThat(bob.server().version()).isEqualTo("2.3");
        }
        assertThat(WebRequests.to(url).post("{}", Map.of()).status()).isEqualTo(401);
    }

    @Test
    void authorities_that_are_scopes_open_tools() throws Exception {
        try (var alice = client("alice", "a");
                var bob = client("bob", "b")) {
            assertThat(call(alice, "publish", "{}")).contains("published");
            assertThat(call(bob, "publish", "{}")).doesNotContain("published").contains("scope");
        }
    }

    @Test
    void a_method_of_a_bean_is_a_durable_tool_and_its_task_belongs_to_its_caller() throws Exception {
        try (var alice = client("alice", "a");
                var bob = client("bob", "b")) {
            assertThat(call(alice, "report", "{}")).contains("rows of 1");
            assertThat(alice.tasks().list()).isNotEmpty();
            assertThat(bob.tasks().list()).isEmpty();
        }
    }

    @Test
    void a_bean_behind_a_proxy_has_its_tools_too() throws Exception {
        try (var alice = client("alice", "a")) {
            assertThat(call(alice, "proxied", "{}")).contains("from behind");
        }
    }

    @Test
    void tools_of_spring_ai_are_served_and_durable_where_that_is_said() throws Exception {
        try (var alice = client("alice", "a")) {
            assertThat(call(alice, "ai-add", "{\"one\":1,\"other\":2}")).contains("3");
            assertThat(call(alice, "ai-shout", "{\"text\":\"hi\"}")).contains("HI 1");
            assertThat(call(alice, "ai-fail", "{}")).contains("there is no paper");
        }
    }

    @Test
    void tools_for_the_official_sdk_are_served_and_reach_their_caller() throws Exception {
        try (var alice = client("alice", "a")) {
            assertThat(call(alice, "sdk-ask", "{}")).contains("spring-test chose blue");
            assertThat(call(alice, "sdk-add", "{\"a\":1}"))
                    .contains("sum of {a=1}")
                    .contains("\"com.example/digits\":1");
            assertThat(alice.tools())
                    .filteredOn(tool -> tool.name().equals("sdk-add"))
                    .singleElement()
                    .satisfies(tool ->
                            assertThat(tool.definition().toString()).contains("\"com.example/unit\":\"apples\""));
        }
    }

    @Test
    void a_tool_for_the_official_sdk_that_drops_work_of_its_own_has_failed() throws Exception {
        try (var alice = client("alice", "a")) {
            assertThat(call(alice, "sdk-drop", "{}")).contains("-32603");
        }
    }

    @Test
    void an_error_of_a_tool_for_the_official_sdk_is_the_error_of_its_call() throws Exception {
        try (var alice = client("alice", "a")) {
            for (String tool : List.of("sdk-refuse", "sdk-refuse-later")) {
                assertThat(call(alice, tool, "{}")).contains("-32050", "out of paper", "{\"tray\":2}");
            }
        }
    }

    @Test
    void metrics_and_health_are_those_of_the_application() throws Exception {
        try (var alice = client("alice", "a")) {
            call(alice, "quick", "{}");
        }
        assertThat(get("/actuator/health").body()).contains("\"longhaul\":{\"status\":\"UP\"");
        assertThat(get("/actuator/metrics").body()).contains("longhaul.");
    }

    @Test
    void an_application_that_stops_ends_its_streams_before_it_waits_for_requests(@TempDir Path other) throws Exception {
        try (var own = run(other)) {
            var address =
                    URI.create("http://localhost:" + own.getEnvironment().getProperty("local.server.port") + "/mcp");
            var alice = WebRequests.to(address).with("Authorization", basic("alice", "a"));
            var version = Generation.V2025_11_25.version();
            var opened = alice.post(Messages.request(0, "initialize", Messages.opening(version, "{}")), Map.of());
            var stream = alice.get(Map.of(
                    "Mcp-Session-Id", opened.header("Mcp-Session-Id").orElseThrow(), "MCP-Protocol-Version", version));
            assertThat(stream.status()).isEqualTo(200);
            var server = own.getBean(McpServer.class);
            assertThat(server.hasTool("quick")).isTrue();
            own.close();
            assertThat(stream.line()).as("what the stream begins with").isNotEmpty();
            assertThat(stream.messages()).as("until the stream ends").isEmpty();
        }
    }
}

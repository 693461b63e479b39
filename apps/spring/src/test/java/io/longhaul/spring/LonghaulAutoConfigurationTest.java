// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution.Granted;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.server.annotation.McpTool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.servlet.McpServlet;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.spec.McpSchema;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import tools.jackson.databind.json.JsonMapper;

/** When there is a server, and of what it is made. */
class LonghaulAutoConfigurationTest {

    private WebApplicationContextRunner web =
            new WebApplicationContextRunner().withConfiguration(AutoConfigurations.of(LonghaulAutoConfiguration.class));

    @TempDir
    Path folder;

    static class Greeter {
        @McpTool(description = "Greets")
        String greet(String name) {
            return "Hello, " + name;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {
        @Bean
        Greeter greeter() {
            return new Greeter();
        }

        @Bean
        Tool defined() {
            return Tool.define("defined").handler((none, call) -> "defined");
        }
    }

    @BeforeEach
    void storeInFolder() {
        web = web.withPropertyValues("longhaul.store.path=" + folder.resolve("tasks.db"));
    }

    @Test
    void a_web_application_has_a_server_with_the_tools_of_its_beans() {
        web.withUserConfiguration(Beans.class).run(context -> {
            var server = context.getBean(McpServer.class);
            assertThat(server.hasTool("greet")).isTrue();
            assertThat(server.hasTool("defined")).isTrue();
            assertThat(server.hasTool("greeter")).isFalse();
            assertThat(folder.resolve("tasks.db")).exists();
        });
    }

    @Test
    void an_application_without_a_web_server_or_with_the_server_switched_off_has_none() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LonghaulAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(McpServlet.class));
        web.withPropertyValues("longhaul.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(McpServlet.class));
    }

    @Test
    void an_application_with_nothing_else_has_a_server_too() {
        web.withUserConfiguration(Beans.class)
                .withClassLoader(new FilteredClassLoader(
                        HealthIndicator.class, HttpSecurity.class, ToolCallback.class, McpServerFeatures.class))
                .run(context -> {
                    assertThat(context.getBean(McpServer.class).hasTool("greet"))
                            .isTrue();
                    assertThat(context).doesNotHaveBean(ServletCallers.class);
                });
    }

    @Test
    void a_store_of_the_application_takes_the_place_of_the_file() {
        var file = folder.resolve("own.db");
        web.withBean(TaskStore.class, () -> SqliteTaskStore.at(file)).run(context -> {
            assertThat(context.getBean(ServerLifecycle.class).isRunning()).isTrue();
            assertThat(folder.resolve("tasks.db")).doesNotExist();
        });
    }

    /** A store of the application, which notes at each close whether the server still runs. */
    private static final class OwnStore extends ForwardingStore {
        private final List<Boolean> closes = new ArrayList<>();
        private ServerLifecycle server;

        OwnStore(Path file) {
            super(SqliteTaskStore.at(file));
        }

        @Override
        public void close() {
            closes.add(server.isRunning());
            super.close();
        }
    }

    @Test
    void a_store_of_the_application_is_closed_once_by_the_context_and_after_the_server() {
        var store = new OwnStore(folder.resolve("own.db"));
        web.withBean(TaskStore.class, () -> store).run(context -> {
            store.server = context.getBean(ServerLifecycle.class);
            store.server.stop();
            assertThat(store.closes).isEmpty();
            store.server.start();
            assertThat(store.server.isRunning()).isTrue();
        });
        assertThat(store.closes).containsExactly(false);
    }

    @Test
    void a_customizer_sees_the_server_before_it_starts() {
        web.withBean(
                        McpServerCustomizer.class,
                        () -> server -> server.tool(Tool.define("added").handler((none, call) -> "added")))
                .run(context -> assertThat(context.getBean(McpServer.class).hasTool("added"))
                        .isTrue());
    }

    @Test
    void a_name_in_long_running_that_is_no_such_tool_ends_the_start_with_the_names_there_are() {
        web.withUserConfiguration(Beans.class, Foreign.class)
                .withPropertyValues("longhaul.long-running=shout,shuot,defined")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessage("longhaul.long-running names 'shuot', 'defined', and the tools of Spring AI and the"
                                + " MCP SDK that can be named there are: shout, whisper"));
        web.withUserConfiguration(Beans.class)
                .withPropertyValues("longhaul.long-running=shout")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageEndingWith("are: none"));
        web.withUserConfiguration(Beans.class, Foreign.class)
                .withPropertyValues("longhaul.long-running=shout,whisper")
                .run(context -> assertThat(context.getBean(McpServer.class).hasTool("whisper"))
                        .isTrue());
    }

    @Configuration(proxyBeanMethods = false)
    static class Foreign {
        @Bean
        ToolCallback shout() {
            return FunctionToolCallback.builder("shout", (Greeter given) -> "HI")
                    .inputType(Greeter.class)
                    .build();
        }

        @Bean
        McpServerFeatures.SyncToolSpecification whisper() {
            return new McpServerFeatures.SyncToolSpecification(
                    McpSchema.Tool.builder("whisper", Map.of("type", "object")).build(),
                    (exchange, request) ->
                            McpSchema.CallToolResult.builder(List.of()).build());
        }
    }

    @Test
    void what_cannot_be_a_tool_ends_the_start_with_the_class_and_the_method() {
        web.withBean(Wrong.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("Wrong.wrong")
                        .hasMessageContaining("must not be private"));
    }

    static class Wrong {
        @McpTool
        private String wrong() {
            return "";
        }
    }

    @Test
    void the_meters_of_the_application_have_those_of_the_server() {
        web.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(OpenTelemetry.class, OpenTelemetry::noop)
                .run(context -> assertThat(context.getBean(MeterRegistry.class).getMeters())
                        .anyMatch(meter -> meter.getId().getName().startsWith("longhaul.")));
    }

    @Test
    void the_health_of_the_application_follows_the_readiness_of_the_server() {
        web.run(context -> {
            var health = context.getBean("longhaulHealthIndicator", HealthIndicator.class);
            assertThat(Objects.requireNonNull(health.health()).getStatus()).isEqualTo(Status.UP);
            context.getBean(ServerLifecycle.class).stop();
            assertThat(Objects.requireNonNull(health.health())).satisfies(down -> {
                assertThat(down.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
                assertThat(down.getDetails()).containsKey("reasons");
            });
        });
    }

    @Test
    void a_server_that_was_stopped_starts_again() {
        web.withUserConfiguration(Beans.class).run(context -> {
            var server = context.getBean(McpServer.class);
            context.stop();
            assertThatIllegalStateException()
                    .isThrownBy(() -> server.hasTool("greet"))
                    .withMessageContaining("does not run");
            context.start();
            assertThat(server.hasTool("greet")).isTrue();
        });
    }

    @Test
    void the_local_user_is_the_caller_only_where_the_web_server_is_for_this_machine() {
        var plain = web.withClassLoader(new FilteredClassLoader(HttpSecurity.class));
        plain.run(context ->
                assertThat(context.getBean(McpServlet.class).isLocal()).isFalse());
        plain.withPropertyValues("server.address=127.0.0.1")
                .run(context ->
                        assertThat(context.getBean(McpServlet.class).isLocal()).isTrue());
        web.withPropertyValues("server.address=127.0.0.1").run(context -> {
            assertThat(context.getBean(McpServlet.class).isLocal()).isFalse();
            assertThat(context.getBean(McpServlet.class).authorizes()).isTrue();
        });
    }

    private static final PrincipalResolver RESOLVER = PrincipalResolver.always(Principal.named("ada"));
    private static final ServletCallers CALLERS = request -> new Granted(Principal.named("ada"));

    @Test
    void an_application_does_not_start_where_several_beans_tell_who_its_callers_are() {
        web.withBean("first", PrincipalResolver.class, () -> RESOLVER)
                .withBean("second", PrincipalResolver.class, () -> RESOLVER)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(NoUniqueBeanDefinitionException.class));
        web.withBean("first", ServletCallers.class, () -> CALLERS)
                .withBean("second", ServletCallers.class, () -> CALLERS)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(NoUniqueBeanDefinitionException.class));
        web.withBean(PrincipalResolver.class, () -> RESOLVER)
                .withBean(ServletCallers.class, () -> CALLERS)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("PrincipalResolver and ServletCallers"));
    }

    @Test
    void each_property_has_its_metadata_and_nothing_else_has() throws IOException {
        var metadata = JsonMapper.shared().readTree(ours().openStream());
        assertThat(StreamSupport.stream(metadata.path("properties").spliterator(), false)
                        .map(property -> property.path("name").asString()))
                .containsExactlyInAnyOrderElementsOf(Stream.of(LonghaulProperties.class, FileProperties.class)
                        .flatMap(LonghaulAutoConfigurationTest::names)
                        .toList());
        assertThat(metadata.path("properties"))
                .allMatch(property -> property.path("description").asString().endsWith("."));
    }

    private URL ours() throws IOException {
        var name = "META-INF/spring-configuration-metadata.json";
        return java.util.Collections.list(getClass().getClassLoader().getResources(name)).stream()
                .filter(url -> read(url).contains("longhaul.store.path"))
                .findFirst()
                .orElseThrow();
    }

    private static String read(URL url) {
        try (var in = url.openStream()) {
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Stream<String> names(Class<?> properties) {
        return names(properties.getAnnotation(ConfigurationProperties.class).value(), properties);
    }

    private static Stream<String> names(String prefix, Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .flatMap(part -> part.getType().isRecord()
                        ? names(prefix + "." + dashed(part), part.getType())
                        : Stream.of(prefix + "." + dashed(part)));
    }

    private static String dashed(RecordComponent part) {
        return part.getName().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
    }
}

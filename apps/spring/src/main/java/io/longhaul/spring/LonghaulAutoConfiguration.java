// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.console.Console;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.observe.ServerMetrics;
import io.longhaul.observe.ServerTracing;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.server.McpServer;
import io.longhaul.server.Readiness;
import io.longhaul.transport.servlet.McpServlet;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.util.ClassUtils;

/** Serves the tools of an application's beans over MCP, at a path of its web server. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(name = "longhaul.enabled", matchIfMissing = true)
@EnableConfigurationProperties({LonghaulProperties.class, FileProperties.class})
@Import(ForeignToolsConfiguration.class)
public class LonghaulAutoConfiguration {

    /** The name of the server if the application has none. */
    private static final String NAMELESS = "application";

    /** The order of meters and traces: before the customizers of the application. */
    private static final int FIRST = -100;

    @Bean
    @ConditionalOnMissingBean
    McpServlet longhaulServlet(
            LonghaulProperties properties,
            Environment environment,
            ObjectProvider<PrincipalResolver> principals,
            ObjectProvider<ServletCallers> callers,
            ObjectProvider<Console> consoles) {
        var http = properties.http();
        var servlet = McpServlet.at(http.path())
                .allowHosts(http.allowedHosts().toArray(String[]::new))
                .allowOrigins(http.allowedOrigins().toArray(String[]::new))
                .callerHeaders(http.callerHeaders().toArray(String[]::new))
                .keepAlive(http.keepAlive());
        if (Boolean.TRUE.equals(http.authenticated())) {
            servlet.authenticated();
        }
        identify(servlet, principals.getIfAvailable(), callers.getIfAvailable());
        consoles.ifUnique(console -> servlet.site(console.site()));
        if (consoles.getIfUnique() != null && servlet.authorizes() && !Boolean.FALSE.equals(http.authenticated())) {
            // A page after DNS rebinding has neither login nor token: browsers keep both by the name of the host.
            servlet.allowSameOrigin();
        }
        if (principals.getIfAvailable() == null
                && callers.getIfAvailable() == null
                && isLoopback(environment.getProperty("server.address"))) {
            servlet.thisMachineOnly();
        }
        return servlet;
    }

    private static void identify(
            McpServlet servlet, @Nullable PrincipalResolver principals, @Nullable ServletCallers callers) {
        if (principals != null && callers != null) {
            throw new IllegalStateException("this application has beans of both types, PrincipalResolver and"
                    + " ServletCallers: keep the one that determines the callers");
        }
        if (principals != null) {
            servlet.principals(principals);
        }
        if (callers != null) {
            servlet.callers(callers);
        }
    }

    private static boolean isLoopback(@Nullable String address) {
        try {
            return address != null && InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            // The web server reports this when it starts.
            return false;
        }
    }

    @Bean
    @ConditionalOnProperty("longhaul.file")
    ApplicationFile longhaulFile(FileProperties file, LonghaulProperties properties) {
        return ApplicationFile.of(Objects.requireNonNull(file.file()), file.jobs(), properties.store());
    }

    @Bean
    ServletRegistrationBean<McpServlet> longhaulServletRegistration(
            McpServlet servlet, ObjectProvider<ApplicationFile> file) {
        var registration = new ServletRegistrationBean<>(servlet, servlet.mappings());
        file.ifAvailable(one -> registration.addUrlMappings(one.paths().toArray(String[]::new)));
        registration.setName("longhaul");
        registration.setAsyncSupported(true);
        return registration;
    }

    @Bean
    LongRunningNames longhaulLongRunningNames(LonghaulProperties properties) {
        return new LongRunningNames(properties.longRunning());
    }

    @Bean
    ServerLifecycle longhaulServerLifecycle(
            LonghaulProperties properties,
            Environment environment,
            McpServlet servlet,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<McpServerCustomizer> customizers,
            ObjectProvider<TaskStore> stores) {
        var application = environment.getProperty("spring.application.name", NAMELESS);
        return new ServerLifecycle(
                properties,
                application,
                servlet,
                Optional.ofNullable(beans.getBeanProvider(ApplicationFile.class).getIfAvailable()),
                server -> {
                    new BeanTools(beans).addTo(server);
                    customizers.orderedStream().forEach(customizer -> customizer.customize(server));
                    beans.getBean(LongRunningNames.class).check();
                },
                new ApplicationStores(properties.store(), beans, stores));
    }

    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    McpServer longhaulServer(ServerLifecycle lifecycle) {
        return lifecycle.server();
    }

    /** The console's pages are in the same servlet as MCP, so that the same login applies to both. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBooleanProperty(name = "longhaul.console.enabled")
    Console longhaulConsole(LonghaulProperties properties) {
        return Console.at(properties.console().path(), properties.http().path());
    }

    /** Reports to the application's meters and traces, if it has them. */
    @Configuration(proxyBeanMethods = false)
    static class Observing {

        @Bean
        @Order(FIRST)
        McpServerCustomizer longhaulMetrics(ObjectProvider<MeterRegistry> registries) {
            return server -> registries.ifUnique(registry -> server.monitor(new ServerMetrics(registry)));
        }

        @Bean
        @Order(FIRST)
        McpServerCustomizer longhaulTracing(ObjectProvider<OpenTelemetry> telemetries) {
            return server -> telemetries.ifUnique(telemetry -> server.monitor(new ServerTracing(telemetry)));
        }
    }

    /** Adds to the application's health, if its classes are present. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class Healthy {

        @Bean
        @ConditionalOnMissingBean(name = "longhaulHealthIndicator")
        @ConditionalOnEnabledHealthIndicator("longhaul")
        HealthIndicator longhaulHealthIndicator(ServerLifecycle lifecycle) {
            return () -> switch (lifecycle.readiness()) {
                case Readiness.Ready ready -> Health.up().build();
                case Readiness.NotReady(List<String> reasons) ->
                    Health.outOfService().withDetail("reasons", reasons).build();
            };
        }
    }

    /** Serves the application's users, if it has Spring Security. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HttpSecurity.class, SecurityFilterChain.class})
    static class Secured {

        @Bean
        @ConditionalOnMissingBean({ServletCallers.class, PrincipalResolver.class})
        ServletCallers longhaulCallers(LonghaulProperties properties) {
            boolean bearer = ClassUtils.isPresent("org.springframework.security.oauth2.core.OAuth2Token", null);
            return new SecurityCallers(!Boolean.FALSE.equals(properties.http().authenticated()), bearer);
        }

        /**
         * Exempts MCP, and the hooks of a file, from CSRF tokens: their callers cannot know one, and the servlet
         * refuses posts of pages of other origins anyway.
         */
        @Bean
        Customizer<CsrfConfigurer<HttpSecurity>> longhaulCsrf(
                LonghaulProperties properties, ObjectProvider<ApplicationFile> file) {
            return csrf -> {
                csrf.ignoringRequestMatchers(properties.http().path());
                file.ifAvailable(one -> csrf.ignoringRequestMatchers(one.paths().toArray(String[]::new)));
            };
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.pages;

import io.longhaul.console.Console;
import io.longhaul.console.ConsoleKey;
import io.longhaul.oauth.ResourceServer;
import io.longhaul.oauth.TokenIssuer;
import io.longhaul.observe.MetricsPort;
import io.longhaul.observe.ServerMetrics;
import io.longhaul.observe.ServerTracing;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.SecureRandom;

/** The Java of docs/OPERATING.md, docs/CONSOLE.md and docs/AUTHORIZATION.md. */
abstract class OperatorListings {

    private static final Tool REPORT = Tool.define("report").handler((none, call) -> "done");

    abstract MeterRegistry registry();

    abstract OpenTelemetry telemetry();

    void watched() throws Exception {
        var registry = registry();
        var telemetry = telemetry();
        var server = McpServer.builder("reports", "1.0")
                .monitor(MetricsPort.on(new InetSocketAddress("127.0.0.1", 9464))) // a port of its own
                .monitor(new ServerMetrics(registry)) // or your registry
                .monitor(new ServerTracing(telemetry)); // and your traces
        server.tool(REPORT).serve(Http.onPort(8080));
    }

    void console() {
        var console = Console.at("/console");
        var key = ConsoleKey.random(new SecureRandom());
        var pages =
                Http.onPort(9090).path(console.endpoint()).site(console.site()).principals(key.callers());
        var server = McpServer.builder("reports", "1.0").monitor(console).serve(Http.onPort(8080), pages);
        System.err.println(key.link(pages.url().resolve(console.page())));
        server.close();
    }

    void guarded() {
        var auth = ResourceServer.of(URI.create("https://tools.example.com/mcp"))
                .issuer(TokenIssuer.named("https://login.example.com"))
                .scopes("tools")
                .build();
        McpServer.builder("tools", "1.0").tool(REPORT).serve(Http.onPort(8080).principals(auth));
    }
}

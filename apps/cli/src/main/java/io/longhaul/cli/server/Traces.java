// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.observe.ServerTracing;
import io.longhaul.server.McpServerBuilder;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Sends the spans of a server to a collector, as the standard variables of OpenTelemetry configure. */
final class Traces implements AutoCloseable {
    private static final int LAST_SPANS_SECONDS = 2;
    private static final String PREFIX = "OTEL_";

    private final OpenTelemetrySdk sdk;

    private Traces(OpenTelemetrySdk sdk) {
        this.sdk = sdk;
    }

    /** @param name of the server, which names the service unless the environment does */
    static Traces of(McpServerBuilder server, String name, Map<String, String> env) {
        try {
            var sdk = AutoConfiguredOpenTelemetrySdk.builder()
                    .addPropertiesSupplier(() -> properties(name, env))
                    .disableShutdownHook()
                    .build()
                    .getOpenTelemetrySdk();
            server.monitor(new ServerTracing(sdk));
            return new Traces(sdk);
        } catch (ConfigurationException | IllegalArgumentException | IllegalStateException e) {
            throw new UsageException("the variables of OpenTelemetry (" + PREFIX + "...) cannot be followed: "
                    + e.getMessage() + ". Correct them, or unset OTEL_EXPORTER_OTLP_ENDPOINT.");
        }
    }

    /** The settings: only traces, over HTTP, because the HTTP client of the JDK cannot speak gRPC. */
    private static Map<String, String> properties(String name, Map<String, String> env) {
        var properties = new HashMap<>(Map.of(
                "otel.service.name", name,
                "otel.exporter.otlp.protocol", "http/protobuf",
                "otel.metrics.exporter", "none",
                "otel.logs.exporter", "none"));
        env.forEach((variable, value) -> {
            if (variable.startsWith(PREFIX)) {
                properties.put(variable.toLowerCase(Locale.ROOT).replace('_', '.'), value);
            }
        });
        return properties;
    }

    /** The last spans are sent, unless the collector takes too long. */
    @Override
    public void close() {
        sdk.shutdown().join(LAST_SPANS_SECONDS, TimeUnit.SECONDS);
    }
}

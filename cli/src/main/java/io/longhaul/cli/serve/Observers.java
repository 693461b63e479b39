// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.cli.audit.AuditTrail;
import io.longhaul.cli.config.PortAddress;
import io.longhaul.cli.config.ServerFile;
import io.longhaul.observe.MetricsPort;
import io.longhaul.receiver.observe.CallLog;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerObserver;
import io.longhaul.server.McpServerBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What looks on at a server for those who run it. A server that is not looked at loads none of the libraries for it:
 * they would make its start longer. Not thread-safe.
 */
final class Observers implements AutoCloseable {
    /** Where spans are sent to; without one of these, there are none. */
    private static final List<String> COLLECTOR =
            List.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<String> announcement = new ArrayList<>();
    private final List<ServerObserver> records = new ArrayList<>();

    /** Has calls logged, and what callers do to tasks written to the audit log where one is wanted. */
    void audit(McpServerBuilder server, ServerFile file, Path data) throws IOException {
        server.observer(new CallLog());
        AuditTrail.in(data, file.recording().audit()).ifPresent(audit -> {
            open.add(audit);
            records.add(audit);
            server.observer(audit);
        });
    }

    /** Has a server that is in the making looked at as its file and the environment say. */
    void watch(McpServerBuilder server, ServerFile file, Map<String, String> env) {
        file.metrics().ifPresent(address -> open.add(metrics(address, server)));
        if (COLLECTOR.stream().anyMatch(env::containsKey) && !"true".equals(env.get("OTEL_SDK_DISABLED"))) {
            open.add(Traces.of(server, file.name(), env));
            announcement.add("traces are sent as the variables of OpenTelemetry say");
        }
    }

    private AutoCloseable metrics(PortAddress address, McpServerBuilder server) {
        var port = MetricsPort.on(address.socket());
        server.monitor(port);
        port.observer().ifPresent(records::add);
        announcement.add(
                "metrics at http://" + port.authority() + "/metrics, health at /health/live and /health/ready");
        return port;
    }

    /** Records something that the server did for no caller. */
    void record(ServerEvent event) {
        records.forEach(one -> one.on(event));
    }

    /** What a person who starts the server wants to know of them. */
    List<String> announcement() {
        return announcement;
    }

    @Override
    public void close() {
        for (var one : open) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

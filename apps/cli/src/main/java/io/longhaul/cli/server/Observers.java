// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import io.longhaul.cli.audit.AuditTrail;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.console.MessageLog;
import io.longhaul.file.ServerFile;
import io.longhaul.file.settings.PortAddress;
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
import java.util.Optional;

/**
 * The observers of a server for its operator. Their libraries are loaded only where they are used, because they would
 * slow down the start. Not thread-safe.
 */
final class Observers implements AutoCloseable {
    /** The variables with the address of a collector; without any of them, there are no spans. */
    private static final List<String> COLLECTOR =
            List.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<String> announcement = new ArrayList<>();
    private final List<ServerObserver> records = new ArrayList<>();
    private Optional<MessageLines> messages = Optional.empty();

    /** Logs calls, and writes actions on tasks to the audit log, where one is configured. */
    void audit(McpServerBuilder server, ServerFile file, Path data) throws IOException {
        server.observer(new CallLog());
        AuditTrail.in(data, file.recording().audit()).ifPresent(audit -> {
            open.add(audit);
            records.add(audit);
            server.observer(audit);
        });
    }

    /** Adds metrics and traces to a server before it starts, as its file and the environment configure. */
    void watch(McpServerBuilder server, ServerFile file, Map<String, String> env) {
        file.metrics().ifPresent(address -> open.add(metrics(address, server)));
        if (COLLECTOR.stream().anyMatch(env::containsKey) && !"true".equals(env.get("OTEL_SDK_DISABLED"))) {
            open.add(Traces.of(server, file.name(), env));
            announcement.add("traces are sent as the variables of OpenTelemetry say");
        }
    }

    /** Logs the messages of each client, where a developer wants to see them. */
    Optional<MessageLog> develop(McpServerBuilder server, ServerFile file) {
        messages = file.recording().messages().map(MessageLines::new);
        serving(file);
        var log = messages.map(MessageLines::log);
        log.ifPresent(made -> {
            server.monitor(made);
            announcement.add("--dev: the messages of each client are logged here, and shown in the console");
        });
        return log;
    }

    /** Has the observers follow another version of the file. */
    void serving(ServerFile file) {
        messages.ifPresent(lines -> lines.serving(file));
    }

    private AutoCloseable metrics(PortAddress address, McpServerBuilder server) {
        var port = UsageException.expect("the metrics cannot be served: ", () -> MetricsPort.on(address.socket()));
        server.monitor(port);
        port.observer().ifPresent(records::add);
        announcement.add(
                "metrics at http://" + port.authority() + "/metrics, health at /health/live and /health/ready");
        return port;
    }

    /** Records an event of the server that belongs to no caller. */
    void record(ServerEvent event) {
        records.forEach(one -> one.on(event));
    }

    /** The lines about observers for the person who starts the server. */
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

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench;

import io.longhaul.bench.http.MeasuredServer;
import io.longhaul.cli.audit.AuditTrail;
import io.longhaul.cli.logging.LogOutput;
import io.longhaul.cli.logging.StandardErrorLogging;
import io.longhaul.file.settings.Recording;
import io.longhaul.observe.MetricsPort;
import io.longhaul.receiver.observe.CallLog;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Rates;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import org.slf4j.event.Level;

/**
 * The measured server with the guards that {@code longhaul serve} can have: an audit log, a log line for each call,
 * metrics, rate limits for each caller, and sealed tasks.
 */
public final class GuardedServer {

    /** A rate above what any machine reaches, so that each call is counted and none is refused. */
    private static final int RATE = 1_000_000;

    private GuardedServer() {}

    /** @param args as those of {@link MeasuredServer#main} */
    public static void main(String[] args) throws Exception {
        StandardErrorLogging.choose();
        MeasuredServer.run(args, GuardedServer::guarded);
    }

    private static McpServerBuilder guarded(McpServerBuilder server, Path tasks) throws IOException {
        var folder = Optional.ofNullable(tasks.getParent()).orElseThrow();
        var files = new Recording.Files(Optional.of(folder.resolve("log")), 1L << 30, 1);
        LogOutput.begin(Optional.of(Level.INFO), new Recording.Log(Optional.empty(), false, files));
        server.observer(new CallLog());
        AuditTrail.in(folder, Recording.DEFAULT.audit()).ifPresent(server::observer);
        server.monitor(MetricsPort.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        server.rates(Rates.NONE.requestsPerSecond(RATE).creationsPerMinute(RATE));
        var keys = DataKeys.parse(DataKeys.generate("bench", new SecureRandom()));
        return server.store(SqliteTaskStore.at(tasks, keys));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import io.longhaul.cli.data.DataFolder;
import io.longhaul.engine.store.StoreInUseException;
import io.longhaul.file.ServerFile;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.tool.ToolEntry.Mode;
import io.longhaul.transport.relay.Relay;
import io.longhaul.transport.socket.ServerLink;
import io.longhaul.transport.socket.ServerLink.Attempt;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A host window whose data folder belongs to another process. That process serves the window; when it ends, the window
 * takes the folder over. Of several such windows, one gets the lock of the folder, and serves the others. For one
 * thread.
 */
public final class StdioWindow implements Relay.Servers, AutoCloseable {

    /** How long a server may take to start or to end. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private final ServerFile file;
    private final DataFolder data;
    private final Map<String, String> env;
    private final Consumer<String> told;
    private final WindowCard card;
    private final Pause pause;
    private @Nullable FileServer own;

    /** Waits between two looks at the folder. */
    @FunctionalInterface
    interface Pause {
        /** Waits, and gives the time that was waited. */
        Duration await() throws InterruptedException;
    }

    public StdioWindow(ServerFile file, DataFolder data, Map<String, String> env, Consumer<String> told) {
        this(file, data, env, told, StdioWindow::pause);
    }

    public StdioWindow(ServerFile file, DataFolder data, Map<String, String> env, Consumer<String> told, Pause pause) {
        this.file = file;
        this.data = data;
        this.env = env;
        this.told = told;
        this.pause = pause;
        card = WindowCard.of(file);
    }

    private static Duration pause() throws InterruptedException {
        Thread.sleep(BETWEEN_LOOKS);
        return BETWEEN_LOOKS;
    }

    /** The relay between the streams of the host and the present server. */
    public Relay relay(InputStream in, OutputStream out) {
        var tasks = file.tools().stream()
                .filter(tool -> tool.running().mode() != Mode.QUICK)
                .map(ToolEntry::name)
                .collect(Collectors.toSet());
        return Relay.over(
                in,
                out,
                UUID.randomUUID().toString(),
                tasks::contains,
                file.limits().wire());
    }

    @Override
    public ServerLink next() throws IOException, InterruptedException {
        for (var waited = Duration.ZERO; ; waited = waited.plus(pause.await())) {
            var busy = tryToServe();
            switch (ServerLink.connect(data.socket(), card.text())) {
                case Attempt.Connected connected -> {
                    told.accept(
                            own == null
                                    ? "another process serves " + data.path() + ", and this window through it"
                                    : "this process serves " + data.path() + " now, without HTTP");
                    return connected.link();
                }
                case Attempt.Refused refused ->
                    throw new IOException("the data folder " + data.path() + " is in use by another process, and "
                            + refused.reason()
                            + ". End that one, or give this one a folder of its own with --data.");
                case Attempt.Nobody nobody -> {
                    if (busy == null) {
                        throw new IOException(
                                "there can be no socket in " + data.path() + ", which windows need to share it");
                    }
                    if (waited.compareTo(PATIENCE) >= 0) {
                        throw busy;
                    }
                }
            }
        }
    }

    /** Tries to take the folder; gives the reason where this process cannot have it, and null where it has it. */
    private @Nullable StoreInUseException tryToServe() throws IOException {
        if (own != null) {
            return null;
        }
        try {
            own = FileServer.shared(file, data, card, env);
            own.consoleAnnouncement().forEach(told);
            return null;
        } catch (StoreInUseException e) {
            return e;
        }
    }

    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
    }
}

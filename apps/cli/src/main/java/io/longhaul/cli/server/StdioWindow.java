// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.engine.store.StoreInUseException;
import io.longhaul.file.ServerFile.Checked;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.tool.ToolEntry.Mode;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.transport.relay.Relay;
import io.longhaul.transport.socket.ServerLink;
import io.longhaul.transport.socket.ServerLink.Attempt;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A host window whose data folder belongs to another process. That process serves the window; when it ends, the window
 * takes the folder over. Of several such windows, one gets the lock of the folder, and serves the others, with the file
 * as it is then. For one thread, but for {@link #reload}.
 */
public final class StdioWindow implements Relay.Servers, AutoCloseable {

    /** How long a server may take to start or to end. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private final FileReload.Source source;
    private final DataFolder data;
    private final Map<String, String> env;
    private final Consumer<List<String>> say;
    private final Pause pause;
    private final Seen first;
    private @Nullable FileServer own;
    private volatile @Nullable FileReload reload;

    /** The file as it was read, and the card of a window that serves it. */
    private record Seen(Checked file, WindowCard card) {
        static Seen of(Checked file) {
            return new Seen(file, WindowCard.of(file.file()));
        }
    }

    /** Waits between two looks at the folder. */
    @FunctionalInterface
    interface Pause {
        /** Waits, and gives the time that was waited. */
        Duration await() throws InterruptedException;
    }

    /** @param say tells the operator some lines at once */
    public StdioWindow(FileReload.Source source, DataFolder data, Map<String, String> env, Consumer<List<String>> say) {
        this(source, data, env, say, StdioWindow::pause);
    }

    StdioWindow(
            FileReload.Source source,
            DataFolder data,
            Map<String, String> env,
            Consumer<List<String>> say,
            Pause pause) {
        this.source = source;
        this.data = data;
        this.env = env;
        this.say = say;
        this.pause = pause;
        first = Seen.of(source.first());
    }

    private static Duration pause() throws InterruptedException {
        Thread.sleep(BETWEEN_LOOKS);
        return BETWEEN_LOOKS;
    }

    /** The relay between the streams of the host and the present server. */
    public Relay relay(InputStream in, OutputStream out) {
        var file = source.first().file();
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
        var now = now();
        for (var waited = Duration.ZERO; ; waited = waited.plus(pause.await())) {
            var busy = tryToServe(now);
            switch (connect(now.card())) {
                case Attempt.Connected connected -> {
                    var messages = now.file().file().recording().messages();
                    var dev = messages.isPresent() ? "; --dev is up to that one" : "";
                    tell(
                            own == null
                                    ? "another process serves " + data.path() + ", and this window through it" + dev
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

    /** The file as it is now; as it was at first where it cannot be served now. */
    private Seen now() {
        try {
            return Seen.of(source.reading().get());
        } catch (ConfigException | UsageException | UncheckedIOException e) {
            return first;
        }
    }

    /** Connects with the file as it is now, or else as it was: the other process may not have read it again. */
    private Attempt connect(WindowCard card) {
        var attempt = ServerLink.connect(data.socket(), card.text());
        return attempt instanceof Attempt.Refused && !card.equals(first.card())
                ? ServerLink.connect(data.socket(), first.card().text())
                : attempt;
    }

    /** Tries to take the folder; gives the reason where this process cannot have it, and null where it has it. */
    private @Nullable StoreInUseException tryToServe(Seen now) throws IOException {
        if (own != null) {
            return null;
        }
        try {
            var server = FileServer.shared(now.file().file(), data, now.card(), env);
            own = server;
            reload = FileReload.of(server, new FileReload.Source(now.file(), source.reading(), source.check()), say);
            server.consoleAnnouncement().forEach(this::tell);
            return null;
        } catch (StoreInUseException e) {
            return e;
        }
    }

    /** Has the process that serves this window read the file again. Thread-safe. */
    public void reload() {
        var served = reload;
        if (served != null) {
            served.reload();
        } else if (ServerLink.connect(data.socket(), WindowCard.RELOAD) instanceof Attempt.Refused(var answer)) {
            tell("the process that serves this window " + answer);
        }
    }

    private void tell(String line) {
        say.accept(List.of(line));
    }

    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.terminal.StatusLine;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What every variant of the demo needs: a folder of its own, a server to kill, and the history in its data folder. */
final class DemoStage implements AutoCloseable {
    /** The caller of a server on the same machine. */
    private static final Owner ME = Owner.LOCAL;

    private static final String TOOLS = "demo.yaml";
    private static final long DEAD_MILLIS = 2_500;
    private static final int SHOWN = 10;
    private static final int TRIES = 20;

    final Terminal terminal;
    final StatusLine status;
    final Path folder;
    private final boolean keep;
    private volatile @Nullable DemoServer server;

    /** @param keep whether the folder stays */
    DemoStage(Terminal terminal, boolean keep) throws IOException {
        this.terminal = terminal;
        this.status = new StatusLine(terminal, InstantSource.system());
        this.folder = Files.createTempDirectory("longhaul-demo-");
        this.keep = keep;
    }

    /** The folder of the files to work on, separate from what the job writes. */
    Path tree() {
        return folder.resolve("work").resolve("tree");
    }

    /** How often the job was started, as the job itself has recorded. */
    long runs() throws IOException {
        return Files.readAllLines(folder.resolve("work").resolve("runs")).size();
    }

    /** Writes the files, and starts a server, whose address it gives. */
    URI open() throws IOException {
        long bytes = DemoTree.write(tree());
        say("1. " + (bytes >> 20) + " MB of files to work on are in " + tree());
        try (var in = DemoStage.class.getResourceAsStream(TOOLS)) {
            if (in == null) {
                throw new IOException(TOOLS + " is missing in this build");
            }
            Files.copy(in, folder.resolve(TOOLS));
        }
        var first = start(0);
        say("2. a server is up at " + first.address() + ", process " + first.pid());
        return first.address();
    }

    private DemoServer start(int port) throws IOException {
        var started = DemoServer.start(folder.resolve(TOOLS), folder.resolve("data"), port);
        server = started;
        return started;
    }

    /** Kills the server, and starts another one at the same address. */
    void killAndRestart() throws IOException, InterruptedException {
        var first = server;
        if (first == null) {
            throw new IllegalStateException("no server was started");
        }
        first.kill();
        say("4. the server is dead: SIGKILL to process " + first.pid()
                + ". Its job is a process of its own, and works on");
        Thread.sleep(DEAD_MILLIS);
        var second = start(first.address().getPort());
        say("5. a new server is up, process " + second.pid() + ". It finds the job where it is by now");
    }

    /** Ends the server, prints the history of each task in its data folder, and gives the tasks. */
    List<Task> history() {
        endServer();
        say("7. the server was told to end. What its data folder tells of the task:");
        try (var store = SqliteTaskStore.at(folder.resolve("data").resolve(DataFolder.STORE))) {
            var tasks = store.list(TaskFilter.of(ME), null, SHOWN).tasks();
            tasks.forEach(task -> HistoryText.of(store, task.id()).forEach(terminal.out()::println));
            return tasks;
        }
    }

    void say(String line) {
        status.print(line);
    }

    private void endServer() {
        var running = server;
        if (running != null) {
            running.end();
        }
    }

    /**
     * Ends the server and removes all files, also after Ctrl-C. A job that still runs loses its files and ends, perhaps
     * after writing another file.
     */
    @Override
    public synchronized void close() {
        endServer();
        if (!keep) {
            removeAll(folder);
        }
    }

    /** Removes a folder with all that is in it. */
    static void removeAll(Path folder) {
        for (int i = 0; i < TRIES && Files.exists(folder); i++) {
            try (var all = Files.walk(folder)) {
                all.sorted(Comparator.reverseOrder()).forEach(DemoStage::remove);
            } catch (IOException | UncheckedIOException e) {
                Thread.onSpinWait();
            }
        }
    }

    private static void remove(Path one) {
        try {
            Files.deleteIfExists(one);
        } catch (IOException e) {
            // The folder is not empty, because a file was written meanwhile: the next attempt removes it.
        }
    }
}

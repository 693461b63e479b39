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
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What every variant of the demo needs: files to work on, a server to kill, and the history in its data folder. */
final class DemoStage {
    /** The caller of a server on the same machine. */
    private static final Owner ME = Owner.LOCAL;

    private static final long DEAD_MILLIS = 2_500;
    private static final int SHOWN = 10;

    final Terminal terminal;
    final DemoFolder folder;
    final StatusLine status;
    private volatile @Nullable DemoServer server;

    DemoStage(Terminal terminal, DemoFolder folder) {
        this.terminal = terminal;
        this.folder = folder;
        this.status = new StatusLine(terminal, InstantSource.system());
    }

    /** Writes the files, and starts a server, whose address it gives. */
    URI open() throws IOException {
        long bytes = DemoTree.write(folder.tree());
        say("1. " + (bytes >> 20) + " MB of files to work on are in " + folder.tree());
        var first = DemoServer.start(folder.file(), folder.data(), 0);
        server = first;
        say("2. a server is up at " + first.address() + ", process " + first.pid());
        return first.address();
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
        var second = DemoServer.start(
                folder.path().resolve("demo.yaml"),
                folder.data(),
                first.address().getPort());
        server = second;
        say("5. a new server is up, process " + second.pid() + ". It finds the job where it is by now");
    }

    /** Ends the server, prints the history of each task in its data folder, and gives the tasks. */
    List<Task> history() {
        endServer();
        say("7. the server was told to end. What its data folder tells of the task:");
        try (var store = SqliteTaskStore.at(folder.data().resolve(DataFolder.STORE))) {
            var tasks = store.list(TaskFilter.of(ME), null, SHOWN).tasks();
            tasks.forEach(task -> HistoryText.of(store, task.id()).forEach(terminal.out()::println));
            return tasks;
        }
    }

    void say(String line) {
        status.print(line);
    }

    /** Ends the server and removes all files, also after Ctrl-C. */
    void abandon() {
        endServer();
        folder.close();
    }

    private void endServer() {
        var running = server;
        if (running != null) {
            running.close();
        }
    }
}

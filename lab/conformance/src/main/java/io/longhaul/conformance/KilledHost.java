// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.client.CallOptions;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.McpClient;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.tasks.SqliteHandleStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;

/**
 * A host that {@link PeerKills} kills. It keeps {@value #OPEN} calls open until its folder has a file {@code enough},
 * and writes what it learns of each call to its own disk: that the server has answered with a task, and the outcome.
 */
final class KilledHost {

    static final int OPEN = 20;

    private final McpClient client;
    private final Path folder;
    private final Semaphore places = new Semaphore(OPEN);
    private int ended;

    private KilledHost(McpClient client, Path folder) {
        this.client = client;
        this.folder = folder;
    }

    /** @param args the address of the server, and the folder of the host */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[1]);
        try (SqliteHandleStore store = SqliteHandleStore.at(folder.resolve("calls.db"));
                McpClient client =
                        McpClient.to(URI.create(args[0])).handles(store).connect()) {
            new KilledHost(client, folder).run();
        }
        System.out.println("done");
    }

    /** One half of the calls are tasks that must not run twice, and the other half may be repeated. */
    static String tool(int number) {
        return number % 2 == 0 ? "charge" : "replay";
    }

    static int number(String line) {
        return Integer.parseInt(line.substring(0, line.indexOf(' ')));
    }

    private void run() throws IOException, InterruptedException {
        TreeSet<Integer> known = new TreeSet<>();
        lines(folder.resolve("outcomes")).forEach(line -> known.add(number(line)));
        for (RemoteCall<CallOutcome> call : client.resumeAll()) {
            int number = Integer.parseInt(call.id());
            known.add(number);
            follow(number, call);
        }
        int last = known.isEmpty() ? 0 : known.last();
        for (int number = 0; number <= last || !Files.exists(folder.resolve("enough")); number++) {
            if (known.add(number)) {
                String id = String.valueOf(number);
                CallOptions options = CallOptions.DEFAULT.withCreationKey(id);
                follow(number, client.call(tool(number), Map.of("label", id), options));
            }
        }
        places.acquire(OPEN);
    }

    private void follow(int number, RemoteCall<CallOutcome> call) throws InterruptedException {
        places.acquire();
        call.onUpdate(update -> {
            if (update instanceof CallUpdate.Created) {
                write("tasks", number + " is a task");
            }
        });
        call.future().thenAccept(end -> {
            write("outcomes", number + " " + (end instanceof CallOutcome.ToolResult(var result) ? result : end));
            call.acknowledge();
            places.release();
            toldOf();
        });
    }

    private synchronized void toldOf() {
        if (++ended % OPEN == 0) {
            System.out.println(ended);
        }
    }

    static List<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private synchronized void write(String file, String line) {
        try {
            Files.writeString(
                    folder.resolve(file),
                    line + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND,
                    StandardOpenOption.DSYNC);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

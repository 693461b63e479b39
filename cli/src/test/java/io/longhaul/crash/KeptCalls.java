package io.longhaul.crash;

import io.longhaul.client.CallOptions;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.client.tasks.SqliteHandleStore;
import io.longhaul.requestor.Timeouts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;

/**
 * The victim: a host that keeps {@value #OPEN} calls open until its folder has a file {@code enough}. It goes on with
 * the calls of the process before, and writes each outcome to its own disk before it acknowledges the call.
 */
final class KeptCalls {

    static final int OPEN = 20;

    private final McpClient client;
    private final FileChannel outcomes;
    private final Semaphore places = new Semaphore(OPEN);
    private int ended;

    private KeptCalls(McpClient client, FileChannel outcomes) {
        this.client = client;
        this.outcomes = outcomes;
    }

    /** @param args the address of the server, and the folder of the host */
    public static void main(String[] args) throws Exception {
        var folder = Path.of(args[1]);
        var file = folder.resolve("outcomes");
        try (var outcomes = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                var store = SqliteHandleStore.at(folder.resolve("calls.db"));
                var client = connected(McpClient.to(URI.create(args[0]))
                        .timeouts(Timeouts.DEFAULT.withTrouble(Duration.ofMinutes(5)))
                        .handles(store))) {
            new KeptCalls(client, outcomes).run(folder);
        }
        System.out.println("done");
    }

    /** A server that is being started again cannot be connected to. The test ends the host of one that never comes. */
    private static McpClient connected(McpClientBuilder client) {
        while (true) {
            try {
                return client.connect();
            } catch (ServerUnreachableException e) {
                Thread.onSpinWait();
            }
        }
    }

    /** One half of the calls must not run twice, and the other half runs again after a crash. */
    static String tool(int number) {
        return number % 2 == 0 ? "charge" : "replay";
    }

    private static String id(int number) {
        return "call-" + number;
    }

    static int number(String id) {
        return Integer.parseInt(id.substring("call-".length()));
    }

    private void run(Path folder) throws IOException, InterruptedException {
        var ran = Files.readAllLines(folder.resolve("ledger"));
        var known = new TreeSet<Integer>();
        Files.readAllLines(folder.resolve("outcomes")).forEach(line -> known.add(number(line.split(" ", 2)[0])));
        for (var call : client.resumeAll()) {
            known.add(number(call.id()));
            follow(call);
        }
        requireAllKnown(ran, known);
        int last = known.isEmpty() ? 0 : known.last();
        for (int number = 0; number <= last || !Files.exists(folder.resolve("enough")); number++) {
            if (known.add(number)) {
                var options = CallOptions.DEFAULT.withCreationKey(id(number));
                follow(client.call(tool(number), Map.of("label", id(number)), options));
            }
        }
        places.acquire(OPEN);
    }

    /** A call whose work has run was kept before its request went out. */
    private static void requireAllKnown(List<String> ran, Set<Integer> known) {
        for (var charge : ran) {
            if (!known.contains(charged(charge))) {
                throw new IllegalStateException("forgotten: " + charge);
            }
        }
    }

    /** The number of the call in a line of the server's ledger. */
    static int charged(String line) {
        return number(line.substring(line.lastIndexOf(' ') + 1));
    }

    private void follow(RemoteCall<CallOutcome> call) throws InterruptedException {
        places.acquire();
        call.future().thenAccept(end -> {
            write(call.id() + " " + (end instanceof CallOutcome.ToolResult(var result) ? result : end));
            call.acknowledge();
            places.release();
        });
    }

    private synchronized void write(String outcome) {
        try {
            outcomes.write(ByteBuffer.wrap((outcome + "\n").getBytes(StandardCharsets.UTF_8)));
            outcomes.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (++ended % OPEN == 0) {
            System.out.println(ended);
        }
    }
}

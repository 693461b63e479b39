// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import io.longhaul.client.CallOptions;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.client.tasks.SqliteHandleStore;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.Timeouts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * The other victim: a host with a client of each generation, which keeps some calls open in each until its folder has a
 * file {@code enough}. The host continues the calls of the earlier process, and notes what it is told of each.
 */
public final class TortureClient {

    private static final List<String> TOOLS = List.of(
            TortureServer.CHARGE, TortureServer.STEPS, TortureServer.SURVEY, TortureServer.PIECES, TortureServer.JOB);

    private final Generation generation;
    private final Path folder;
    private final Lines told;
    private final McpClient client;
    private final Load load;
    private final Semaphore places;

    /** How many calls of a generation are open at most, and the pause between two of them. */
    private record Load(int open, Duration pause) {}

    private TortureClient(Generation generation, Path folder, Lines told, McpClient client, Load load) {
        this.generation = generation;
        this.folder = folder;
        this.told = told;
        this.client = client;
        this.load = load;
        places = new Semaphore(load.open());
    }

    /**
     * @param args the address of the server, the folder of the host, the number of open calls in each generation, and
     *     the pause between two of its calls
     */
    public static void main(String[] args) throws Exception {
        var folder = Path.of(args[1]);
        var load = new Load(Integer.parseInt(args[2]), Duration.parse(args[3]));
        var told = new Lines(folder.resolve("told"));
        List<Thread> running = new ArrayList<>();
        for (var generation : Generation.values()) {
            running.add(Thread.ofPlatform()
                    .name(generation.label())
                    .start(() -> run(generation, args[0], folder, told, load)));
        }
        System.out.println("started");
        for (var one : running) {
            one.join();
        }
        System.out.println("done");
    }

    private static void run(Generation generation, String server, Path folder, Lines told, Load load) {
        try (var handles = SqliteHandleStore.at(folder.resolve("calls-" + generation.label() + ".db"));
                var client = connected(McpClient.to(URI.create(server))
                        .generation(generation)
                        .answers(QuestionHandler.NONE.forms(form -> answer(form.message(), told)))
                        .timeouts(Timeouts.DEFAULT.withTrouble(Duration.ofMinutes(30)))
                        .handles(handles))) {
            new TortureClient(generation, folder, told, client, load).run();
        } catch (IOException | InterruptedException | RuntimeException e) {
            told.write("broken", generation.label(), String.valueOf(e));
        }
    }

    /** Connects, and retries while the server starts. The torture ends the host of a server that never comes. */
    private static McpClient connected(McpClientBuilder client) throws InterruptedException {
        while (true) {
            try {
                return client.connect();
            } catch (ServerUnreachableException e) {
                Thread.sleep(Duration.ofMillis(20));
            }
        }
    }

    private static Reply answer(String message, Lines told) {
        var label = message.replaceAll("A word for (\\S+)\\?", "$1");
        told.write("asked", label);
        return new Reply.Accepted(Json.raw("{\"word\":\"" + TortureServer.word(label) + "\"}"));
    }

    private void run() throws IOException, InterruptedException {
        told.write("began", generation.label());
        int next = 0;
        for (var line : Lines.read(folder.resolve("told"))) {
            var words = line.split(" ");
            if (words[0].equals("called") && generationOf(words[1]).equals(generation.label())) {
                next = Math.max(next, numberOf(words[1]) + 1);
            }
        }
        for (var call : client.resumeAll()) {
            next = Math.max(next, numberOf(call.id()) + 1);
            follow(call);
        }
        for (; !Files.exists(folder.resolve("enough")); next++) {
            places.acquire();
            places.release();
            var label = generation.label() + ":" + tool(next) + ":" + next;
            told.write("called", label);
            var options = CallOptions.DEFAULT.withCreationKey(label);
            follow(client.call(toolOf(label), Map.of("label", label), options));
            Thread.sleep(load.pause());
        }
        places.acquire(load.open());
    }

    /** The tool of a call; a client that cannot be asked calls another tool in place of the survey. */
    private String tool(int number) {
        var tool = TOOLS.get(number % TOOLS.size());
        return generation.revision().has(Revision.Capability.ELICITATION) || !tool.equals(TortureServer.SURVEY)
                ? tool
                : TortureServer.STEPS;
    }

    private void follow(RemoteCall<CallOutcome> call) throws InterruptedException {
        places.acquire();
        Thread.ofVirtual().start(() -> {
            try {
                call.reference().ifPresent(task -> told.write("acknowledged", call.id()));
                var outcome = call.await();
                told.write("ended", call.id(), outcome.kind().name(), text(outcome));
                call.acknowledge();
                places.release();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static String text(CallOutcome outcome) {
        return switch (outcome) {
            case CallOutcome.ToolResult(var result) -> result.toString();
            case CallOutcome.Failed failed -> failed.reason();
        };
    }

    static String generationOf(String label) {
        return label.split(":")[0];
    }

    static String toolOf(String label) {
        return label.split(":")[1];
    }

    private static int numberOf(String label) {
        return Integer.parseInt(label.split(":")[2]);
    }
}

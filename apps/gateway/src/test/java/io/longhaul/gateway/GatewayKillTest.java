// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.McpClient;
import io.longhaul.client.RemoteCall;
import io.longhaul.gateway.call.OutputPieces;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway is killed in the middle of long calls, in a process of its own. */
class GatewayKillTest {

    private static final int KILLS = Integer.getInteger("longhaul.gateway.kills", 3);

    /** The generations in which a server tells all output of its tasks; tools/async tells it with progress alone. */
    private static final Set<Generation> WITH_OUTPUT =
            EnumSet.of(Generation.V2026_07_28, Generation.V2025_11_25, Generation.SEP_1686, Generation.SEP_1003);

    @TempDir
    Path folder;

    private Process process;

    /** Starts a gateway. A connection of another program may have the port for a moment: then it is started again. */
    private URI start(int port, URI behind) throws IOException, InterruptedException {
        for (int tries = 0; tries < 10; tries++) {
            process = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            GatewayMain.class.getName(),
                            folder.resolve("gateway.db").toString(),
                            String.valueOf(port),
                            behind.toString()))
                    .redirectError(folder.resolve("gateway.log").toFile())
                    .start();
            var url = process.inputReader().readLine();
            if (url != null) {
                return URI.create(url);
            }
            process.waitFor();
            assertThat(log()).contains("in use");
        }
        throw new IOException(log());
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("gateway.log"));
    }

    private void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /**
     * A call in each generation that the gateway speaks to the server behind; the client knows one.
     *
     * @param output the parts of output that each call has told
     */
    private record Calls(Map<String, RemoteCall<CallOutcome>> byName, Map<String, Output> output) {

        /** The pieces of one call without the signs of JSON: SEP-1003 tells texts, and adds one of its own. */
        private record Output(List<String> pieces, Semaphore came) implements Consumer<CallUpdate> {
            private void add(String piece) {
                pieces.add(piece);
                came.release();
            }

            @Override
            public void accept(CallUpdate update) {
                if (update instanceof CallUpdate.Part(var result)) {
                    OutputPieces.of(result).stream()
                            .map(piece -> piece.toString().replaceAll("[\\\\\"{}]", ""))
                            .filter(piece -> !piece.startsWith("This is the first part"))
                            .forEach(this::add);
                }
            }
        }

        static Calls make(McpClient client, int kill) {
            var calls = new LinkedHashMap<String, RemoteCall<CallOutcome>>();
            var output = new HashMap<String, Output>();
            for (var generation : ClientDialects.spoken()) {
                var name = generation.label() + " " + kill;
                calls.put(name, client.call(generation.label() + "_job", Map.of("name", name, "output", true)));
                output.put(name, new Output(new CopyOnWriteArrayList<>(), new Semaphore(0)));
                calls.get(name).onUpdate(output.get(name));
            }
            return new Calls(calls, output);
        }

        private static boolean isTold(String name) {
            return WITH_OUTPUT.stream().anyMatch(each -> name.startsWith(each.label() + " "));
        }

        /** Each call has said how far it is, and has told the output so far where all of it is told. */
        void awaitProgress() throws InterruptedException {
            var seen = new CountDownLatch(byName.size());
            byName.values().forEach(call -> {
                var told = new AtomicBoolean();
                call.onProgress(progress -> {
                    if (!told.getAndSet(true)) {
                        seen.countDown();
                    }
                });
            });
            seen.await();
            for (var told : output.entrySet()) {
                if (isTold(told.getKey())) {
                    told.getValue().came().acquire(2);
                }
            }
        }

        /** Each call has a task at the gateway, and has perhaps not reached the server behind. */
        void awaitTasks() throws InterruptedException {
            for (var call : byName.values()) {
                call.reference();
            }
        }

        void assertMadeOnce(Behind behind) throws InterruptedException {
            byName.keySet().forEach(behind::open);
            for (var call : byName.entrySet()) {
                var name = call.getKey();
                assertThat(GatewayTest.text(call.getValue().await())).as(name).contains("done " + name);
                assertThat(behind.runs(name)).as(name).isEqualTo(1);
                var told = output.get(name).pieces();
                if (name.startsWith(Generation.SEP_1003.label())) {
                    // Its server may tell a part again that the gateway has stored just before its death.
                    told = told.stream().distinct().toList();
                }
                var all = Behind.output(name);
                assertThat(told).as(name).isEqualTo(isTold(name) ? all : all.subList(0, told.size()));
            }
        }
    }

    /** A server of Longhaul takes the same call again: this holds for generations without tasks, too. */
    @Test
    @Timeout(1200)
    void a_call_to_a_server_of_each_generation_outlives_each_kill_of_its_gateway_and_is_made_once() throws Exception {
        try (var behind = new Behind(folder.resolve("behind.db"))) {
            var address = start(0, behind.address());
            for (int kill = 0; kill < KILLS; kill++) {
                try (var client = McpClient.to(address).connect()) {
                    var calls = Calls.make(client, kill);
                    if (kill % 2 == 0) {
                        calls.awaitProgress();
                    } else {
                        calls.awaitTasks();
                    }
                    kill();
                    start(address.getPort(), behind.address());
                    calls.assertMadeOnce(behind);
                }
            }
        } finally {
            kill();
        }
    }
}

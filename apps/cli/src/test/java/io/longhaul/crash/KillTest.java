// SPDX-License-Identifier: Apache-2.0
package io.longhaul.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What was acknowledged stays, whenever the server dies. {@code -Dlonghaul.kills=50} kills it so often. */
final class KillTest {

    private static final int KILLS = Integer.getInteger("longhaul.kills", 16);
    private static final int OPERATIONS_PER_LIFE = 100;

    private final Acknowledged acknowledged = new Acknowledged();
    private final Load load = new Load(acknowledged);

    @Test
    void a_server_that_is_killed_again_and_again_loses_nothing_that_it_had_acknowledged(@TempDir Path folder)
            throws Exception {
        for (int kill = 0; kill < KILLS; kill++) {
            ServerProcess server = ServerProcess.start(folder);
            try {
                // Another point of the work in each life, so that the kill falls into everything that can be under way.
                CountDownLatch enough = new CountDownLatch(OPERATIONS_PER_LIFE + 21 * kill);
                List<Thread> clients = load.start(server.client(), enough);
                assertThat(enough.await(60, TimeUnit.SECONDS))
                        .as("the server serves")
                        .isTrue();
                server.kill();
                for (Thread client : clients) {
                    client.join();
                }
            } finally {
                server.kill();
            }
        }
        ServerProcess last = ServerProcess.start(folder);
        try {
            settle(last);
        } finally {
            last.kill();
        }
        report(ranOnce(folder));
        assertThat(acknowledged.contradictions()).isEmpty();
    }

    /** Brings every task to its end, and holds it against what was acknowledged. */
    private void settle(ServerProcess server) throws Exception {
        for (Acknowledged.Known known : acknowledged.tasks()) {
            JsonNode task = untilEnded(server, known);
            if (task == null) {
                continue;
            }
            String status = task.path("status").asString();
            String text = task.at("/result/content/0/text").asString("");
            if (known.cancelAcknowledged && status.equals("working")) {
                acknowledged.contradiction(known.id + " was cancelled and is " + status);
            }
            String answer = known.answer.get();
            if (answer != null && status.equals("completed") && !text.contains(answer)) {
                acknowledged.contradiction(known.id + " was answered with " + answer + " and says " + text);
            }
        }
    }

    private @Nullable JsonNode untilEnded(ServerProcess server, Acknowledged.Known known) throws Exception {
        for (int look = 0; look < 100_000; look++) {
            JsonNode task = load.readOne(server.client(), known);
            if (task == null) {
                return null;
            }
            switch (task.path("status").asString()) {
                case "completed", "failed", "cancelled" -> {
                    return task;
                }
                case "input_required" -> {
                    if (known.answer.get() != null) {
                        acknowledged.contradiction(known.id + " lost its acknowledged answer");
                        return null;
                    }
                    load.answerOne(server.client(), known);
                }
                default -> Thread.onSpinWait();
            }
        }
        acknowledged.contradiction(known.id + " never ended");
        return null;
    }

    /** How often each charge really ran, from the ledger that its handler writes. */
    private long ranOnce(Path folder) throws Exception {
        var runs = Files.readAllLines(folder.resolve("ledger")).stream()
                .collect(Collectors.groupingBy(line -> line, Collectors.counting()));
        assertThat(runs)
                .as("no charge ran twice")
                .allSatisfy((task, times) -> assertThat(times).isEqualTo(1));
        return runs.size();
    }

    private void report(long charges) {
        var tasks = acknowledged.tasks();
        System.out.printf(
                "%d kills: %d tasks, %d answers, %d cancels and %d reads acknowledged; %d charges ran, each once; "
                        + "%d contradictions%n",
                KILLS,
                tasks.size(),
                tasks.stream().filter(t -> t.answer.get() != null).count(),
                tasks.stream().filter(t -> t.cancelAcknowledged).count(),
                acknowledged.reads.get(),
                charges,
                acknowledged.contradictions().size());
    }
}

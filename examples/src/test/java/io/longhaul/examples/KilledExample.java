// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.ResourcePart;
import io.longhaul.examples.HaltingServer.When;
import io.longhaul.protocol.dialect.Generation;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The call that the README of an example shows, or a smaller one, made once in peace, and then by clients of several
 * generations while its server is killed by SIGKILL at random steps and started again: each call ends with the result
 * of the first one, and leaves the same behind. {@code -Dkills.seed=N} repeats a run.
 *
 * @param shown   the call, and the name of its server
 * @param kills   how often the server is killed under the call of the first generation; under the others once
 * @param before  what is made in the folder of a call before its server starts
 * @param answers to what the tool asks
 * @param left    what the call has left in its folder
 */
record KilledExample(ShownCall shown, int kills, InFolder<?> before, QuestionHandler answers, InFolder<?> left) {

    private static final String CHECKOUT = "examples";

    /** What is done in the folder of one call. */
    interface InFolder<T> {
        T in(Path folder) throws Exception;
    }

    /** How a call ended, with the pieces of output that its task has given out meanwhile. */
    record End(String result, List<String> output, Object left) {}

    private record Ended(End end, int steps) {}

    /** The chance of one test. */
    static Random chance() {
        long seed = Long.getLong("kills.seed", System.nanoTime());
        System.out.println("-Dkills.seed=" + seed);
        return new Random(seed);
    }

    /** Gives the end that all of them have. */
    End endsAlike(Path folder, Generation... generations) throws Exception {
        var chance = chance();
        var undisturbed = run(folder.resolve("undisturbed"), generations[0], List.of(), chance);
        for (var generation : generations) {
            // Late steps may come in another order where tasks run side by side: the last kill is well before the end.
            int times = generation == generations[0] ? kills : 1;
            var steps = chance.ints(times, 1, Math.max(2, undisturbed.steps() * 4 / 5))
                    .sorted()
                    .boxed()
                    .toList();
            assertThat(run(folder.resolve(generation.name()), generation, steps, chance)
                            .end())
                    .as("%s is killed at its steps %s of %s", generation, steps, undisturbed.steps())
                    .isEqualTo(undisturbed.end());
        }
        return undisturbed.end();
    }

    /** @param steps the numbers of the steps at which the server is killed, counted over all its processes */
    private Ended run(Path folder, Generation generation, List<Integer> steps, Random chance) throws Exception {
        asCheckout(folder);
        before.in(folder);
        int recorded = 0;
        var server = start(folder, 0, steps.isEmpty() ? 0 : steps.getFirst(), chance);
        var processes = new ArrayList<>(List.of(server));
        try (var client = McpClient.to(server.url())
                .generation(generation)
                .answers(answers)
                .connect()) {
            var call =
                    client.call(shown.tool(), shown.arguments()).as(Map.class).future();
            for (int kill = 0; kill < steps.size(); kill++) {
                CompletableFuture.anyOf(server.halted(), call).join();
                assertThat(call).as("the call ends before its server is killed").isNotDone();
                recorded += server.kill();
                int next = kill + 1 < steps.size() ? Math.max(1, steps.get(kill + 1) - recorded) : 0;
                server = start(folder, server.url().getPort(), next, chance);
                processes.add(server);
            }
            var result = String.valueOf(call.join());
            var output = output(server.url());
            recorded += server.kill();
            return new Ended(new End(result, output, left.in(folder)), recorded);
        } catch (CompletionException e) {
            throw new AssertionError("the servers have said:\n" + Files.readString(folder.resolve("server.log")), e);
        } finally {
            processes.forEach(ExampleProcess::kill);
            leaveCheckout(folder);
        }
    }

    /** Of the first task that there is. */
    private static List<String> output(URI server) {
        try (var reader = McpClient.to(server).connect()) {
            var task = reader.tasks().list().getLast();
            return reader.resources().read("longhaul://tasks/" + task.id() + "/output").stream()
                    .map(ResourcePart.Text.class::cast)
                    .map(ResourcePart.Text::text)
                    .toList();
        }
    }

    /** The paths of a README are those of a checkout. */
    static void asCheckout(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.createSymbolicLink(folder.resolve(CHECKOUT), Path.of("").toAbsolutePath());
    }

    /** JUnit would warn of a link that leads out of a folder that it deletes. */
    static void leaveCheckout(Path folder) throws IOException {
        Files.delete(folder.resolve(CHECKOUT));
    }

    private ExampleProcess start(Path folder, int port, int halt, Random chance) throws IOException {
        var when = chance.nextBoolean() ? When.BEFORE : When.AFTER;
        return ExampleProcess.start(folder, shown.example(), port, halt, when);
    }
}

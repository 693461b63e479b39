// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import io.longhaul.examples.HaltingServer.When;
import io.longhaul.examples.agent.Agent;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example {@code multi-agent}. */
class AgentTest {

    /** More steps than these are there without an answer of the agent. */
    private static final int STEPS = 20;

    /** The plan of the example, with smaller panels. */
    private static final String PLAN = "plan.jsonl";

    @TempDir
    Path folder;

    @Test
    void an_agent_that_is_killed_with_five_tasks_out_has_all_their_answers_in_the_end() throws Exception {
        var chance = KilledExample.chance();
        var undisturbed = answers(folder.resolve("undisturbed"), "2026-07-28", 0, chance);
        assertThat(undisturbed)
                .containsOnlyKeys(
                        "cables.json",
                        "contacts.json",
                        "like-ibuprofen.json",
                        "like-morphine.json",
                        "networks.json",
                        "sources.json");
        assertThat(undisturbed.get("sources.json")).contains("\"examples/drug-discovery/library.smi\":\"");
        assertThat(undisturbed.values()).noneMatch(answer -> answer.contains("failed: "));
        for (var generation : List.of("2026-07-28", "2025-11-25")) {
            int step = chance.nextInt(1, STEPS);
            assertThat(answers(folder.resolve(generation), generation, step, chance))
                    .as("the server of a client of %s is killed at step %s", generation, step)
                    .isEqualTo(undisturbed);
        }
    }

    /** @param step at which the server is killed, and the agent when it has its tasks out; 0 for neither */
    private static Map<String, String> answers(Path own, String generation, int step, Random chance) throws Exception {
        KilledExample.asCheckout(own);
        var plan = Files.readString(own.resolve("examples/multi-agent/plan.jsonl"));
        Files.writeString(own.resolve(PLAN), plan.replace("\"panel\": 7", "\"panel\": 4"));
        var when = chance.nextBoolean() ? When.BEFORE : When.AFTER;
        var server = ExampleProcess.start(own, "multi-agent", 0, step, when);
        var agent = agent(own, server.url(), generation);
        try {
            if (step > 0) {
                awaitTasks(agent);
                agent.destroyForcibly().onExit().join();
                server.halted().join();
                server.kill();
                server = ExampleProcess.start(own, "multi-agent", server.url().getPort(), 0, when);
                agent = agent(own, server.url(), generation);
            }
            var said = new String(agent.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(agent.waitFor()).as(said).isZero();
            var all = written(own.resolve("answers"));
            // Those of the five jobs, and of the three questions of the researches: no job is given out twice.
            assertThat(tasks(server.url())).isEqualTo(8);
            return all;
        } finally {
            agent.destroyForcibly().onExit().join();
            server.kill();
            KilledExample.leaveCheckout(own);
        }
    }

    private static Process agent(Path own, URI server, String generation) throws IOException {
        var arguments = List.of(server.toString(), PLAN, generation);
        return ExampleProcess.java(Agent.class, arguments)
                .directory(own.toFile())
                .redirectErrorStream(true)
                .start();
    }

    private static void awaitTasks(Process agent) throws IOException {
        var said = agent.inputReader();
        for (var line = said.readLine(); !"has 5 tasks out".equals(line); line = said.readLine()) {
            assertThat(line).as("the agent has ended").isNotNull();
        }
    }

    private static int tasks(URI server) {
        try (var reader = McpClient.to(server).connect()) {
            return reader.tasks().list().size();
        }
    }

    private static Map<String, String> written(Path answers) throws IOException {
        Map<String, String> all = new TreeMap<>();
        try (var files = Files.list(answers)) {
            for (var file : files.toList()) {
                all.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return all;
    }
}

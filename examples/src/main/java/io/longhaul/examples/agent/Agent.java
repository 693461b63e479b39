// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.agent;

import io.longhaul.client.CallOptions;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.HandleStore;
import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.tasks.SqliteHandleStore;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An agent that gives each job of a plan to another agent, and does work of its own meanwhile: no thread waits for a
 * task, and the servers tell their ends. Kill the agent and start it again: it continues its open tasks, and gives out
 * the remaining jobs. Its state is a file of calls, and a file for each answer.
 *
 * <p>{@code examples/agent URL PLAN [GENERATION]} starts it.
 */
public final class Agent {

    private static final QuestionHandler SHORT_OF_TIME =
            QuestionHandler.NONE.forms(form -> new Reply.Accepted(Json.raw("{\"depth\":\"BRIEF\"}")));

    private final McpClient client;
    private final Path answers;

    private record Answered(String job, String text) {}

    private Agent(McpClient client, Path answers) {
        this.client = client;
        this.answers = answers;
    }

    public static void main(String[] args) throws Exception {
        if (args.length < 2) {
            System.err.println("Say where the other agents are, and what is to be done: URL PLAN [GENERATION].");
            System.exit(2);
        }
        var generation = args.length > 2 ? Generation.named(args[2]).orElseThrow() : Generation.V2026_07_28;
        try (var handles = SqliteHandleStore.at(Path.of("agent.db"));
                var client = connect(URI.create(args[0]), generation, handles)) {
            new Agent(client, Files.createDirectories(Path.of("answers"))).follow(Job.all(Path.of(args[1])));
        }
    }

    private static McpClient connect(URI others, Generation generation, HandleStore handles) {
        return McpClient.to(others)
                .name("agent", "1.0")
                .generation(generation)
                .answers(SHORT_OF_TIME)
                .handles(handles)
                .connect();
    }

    /** Takes each answer when the client is told that its task has ended, and does the agent's own work in between. */
    private void follow(List<Job> plan) throws Exception {
        var calls = calls(plan);
        var ended = new LinkedBlockingQueue<Answered>();
        for (var call : calls.entrySet()) {
            call.getValue().reference();
            call.getValue().as(Json.class).future().whenComplete((result, failure) -> {
                var text = failure == null ? result.toString() : "failed: " + failure.getMessage();
                ended.add(new Answered(call.getKey(), text));
            });
        }
        System.out.println("has " + calls.size() + " tasks out");
        var sources = new Sources(plan);
        for (int open = calls.size(); open > 0 || sources.hasMore(); ) {
            var answered = sources.hasMore() ? ended.poll() : ended.take();
            if (answered == null) {
                System.out.println("has read " + sources.readNext());
            } else {
                keep(answered);
                calls.get(answered.job()).acknowledge();
                System.out.println("has the answer to " + answered.job());
                open--;
            }
        }
        keep(new Answered("sources", sources.digests()));
        System.out.println("has all answers");
    }

    /** The calls by the names of their jobs: the calls of an earlier process, and new calls for the other jobs. */
    private Map<String, RemoteCall<CallOutcome>> calls(List<Job> plan) {
        var open = client.resumeAll().stream().collect(Collectors.toMap(RemoteCall::id, Function.identity()));
        Map<String, RemoteCall<CallOutcome>> calls = new TreeMap<>();
        for (var job : plan) {
            if (!Files.exists(file(job.name()))) {
                // The name is the creation key of the call, so that a call which the agent made just before it died is
                // not made twice.
                var options = CallOptions.DEFAULT.withCreationKey(job.name());
                var call = open.get(job.name());
                calls.put(job.name(), call == null ? client.call(job.tool(), job.arguments(), options) : call);
            }
        }
        return calls;
    }

    /** Stores an answer atomically. */
    private void keep(Answered answered) throws IOException {
        var part = Files.writeString(answers.resolve(answered.job() + ".part"), answered.text());
        Files.move(part, file(answered.job()), StandardCopyOption.ATOMIC_MOVE);
    }

    private Path file(String job) {
        return answers.resolve(job + ".json");
    }
}

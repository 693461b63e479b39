// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static io.longhaul.engine.task.CrashPolicy.RESTART;

import io.longhaul.backend.shell.JobResult;
import io.longhaul.backend.shell.ShellBackend;
import io.longhaul.backend.shell.ShellCommand;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * The victim: a server of one tool for each crash policy. Work that really runs writes a line into a ledger, which is
 * on another disk than the store.
 */
public record TortureServer(String node, Lines ledger) {

    /** The tool whose work runs at most once. */
    static final String CHARGE = "charge";
    /** The tool whose work runs again after a crash, and repeats no recorded step. */
    static final String STEPS = "steps";
    /** The tool that asks, and gives the answer back. */
    static final String SURVEY = "survey";
    /** The tool that continues its partial output after a crash. */
    static final String PIECES = "pieces";
    /** The tool that runs a command, which outlives the server. */
    static final String JOB = "job";

    static final Pattern BY = Pattern.compile(" by attempt (\\d+)");

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int PIECE_COUNT = 3;
    private static final int STEP_COUNT = 2;

    record Label(String label) {}

    record Word(String word) {}

    /** @param args the store, the folder of the ledger, the port, and the name among the nodes of the store */
    public static void main(String[] args) throws Exception {
        var notes = Path.of(args[1]);
        var http = Http.onPort(Integer.parseInt(args[2]));
        var victim = new TortureServer(args[3], new Lines(notes.resolve("ledger")));
        var server = McpServer.builder("victim", "1")
                .node(victim.node)
                .limits(TaskLimits.builder()
                        .livePerOwner(100_000)
                        .crashAttempts(1_000_000)
                        // Other nodes must take over the commands of a lost node soon, so there is no grace time.
                        .nodeLostAfter(Duration.ofMillis(1))
                        .build());
        victim.tools(server, notes);
        var running = server.store(Stored.open(args[0])).serve(http);
        Runtime.getRuntime().addShutdownHook(new Thread(running::close));
        System.out.println(http.url());
        running.awaitEnd();
    }

    private void tools(McpServerBuilder server, Path notes) throws Exception {
        server.tool(Tool.define(CHARGE).input(Label.class).longRunning().handler((label, task) -> {
            ledger.write(CHARGE, label.label());
            work(400);
            return "charged " + label.label();
        }));
        server.tool(Tool.define(STEPS)
                .input(Label.class)
                .longRunning(t -> t.onCrash(RESTART))
                .handler(this::steps));
        server.tool(Tool.define(SURVEY)
                .input(Label.class)
                .longRunning(t -> t.onCrash(RESTART).suspendAfter(Duration.ofMillis(300)))
                .handler((label, task) -> "heard "
                        + task.elicit("A word for " + label.label() + "?", Word.class)
                                .content()
                                .word()));
        server.tool(Tool.define(PIECES)
                .input(Label.class)
                .longRunning(t -> t.onCrash(RESTART))
                .handler(this::pieces));
        var jobs = ShellBackend.in(notes.resolve("jobs-" + node));
        var command = ShellCommand.program("/bin/sh")
                .argument("-c")
                .argument("echo \"" + JOB + " $1\" >>\"$2\"; sleep 0.2; echo \"did $1\"")
                .argument("job")
                .argument("{label}")
                .argument(notes.resolve("ledger").toString())
                .build();
        server.tool(Tool.define(JOB)
                .input(Label.class)
                .longRunning()
                .backend(jobs.running(command, TortureServer::arguments, TortureServer::written)));
    }

    private String steps(Label label, TaskContext task) throws Exception {
        for (int step = 0; step < STEP_COUNT; step++) {
            var name = label.label() + "/" + step;
            task.step("step " + step, String.class, () -> {
                ledger.write("doing", name, node);
                work(200);
                return "done" + by(task);
            });
            ledger.write("recorded", name, node);
        }
        return "stepped " + label.label();
    }

    private String pieces(Label label, TaskContext task) throws Exception {
        for (int piece = task.partialCount(); piece < PIECE_COUNT; piece++) {
            work(100);
            task.partial("piece " + piece + by(task) + "; ");
            task.progress(piece + 1, PIECE_COUNT, "piece " + piece);
        }
        return "wrote " + label.label();
    }

    /** The mark by which the history shows the attempt that wrote a piece: {@link #BY} finds it. */
    private static String by(TaskContext task) {
        return " by attempt " + task.attempt();
    }

    private static Map<String, List<String>> arguments(Payload request) {
        return Map.of("label", List.of(label(request)));
    }

    /** The label of the call that a task runs. */
    static String label(Payload request) {
        return JSON.readTree(request.bytes()).path("label").asString();
    }

    private static Outcome written(JobResult job) {
        var result = JSON.createObjectNode();
        var text = job.output().text().strip();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return new Outcome.Result(Payload.of(JSON.writeValueAsBytes(result)), !job.succeeded());
    }

    /** Work that takes some milliseconds, so that a kill can fall into it. */
    private static void work(int kilobytes) throws Exception {
        MessageDigest.getInstance("SHA-256").digest(new byte[kilobytes << 10]);
    }

    /** The text that the result of a call must contain. */
    static String result(String tool, String label) {
        return switch (tool) {
            case CHARGE -> "charged " + label;
            case STEPS -> "stepped " + label;
            case SURVEY -> "heard " + word(label);
            case PIECES -> "wrote " + label;
            case JOB -> "did " + label;
            default -> throw new IllegalArgumentException("no tool " + tool);
        };
    }

    /** The one answer to the question of a call. */
    static String word(String label) {
        return "word-of-" + label;
    }
}

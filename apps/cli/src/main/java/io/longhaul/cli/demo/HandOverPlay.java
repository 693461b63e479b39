// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import io.longhaul.cli.call.ResultPrinter;
import io.longhaul.cli.command.Version;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.ToolInfo;
import io.longhaul.protocol.dialect.ClientDialects;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * The demo in a host that knows no tasks and can show its user no forms, turn by turn as the model of the host sees it.
 * The model reads only the answers, and does what they say.
 */
final class HandOverPlay {
    /** The name for which {@code demo.yaml} sets a short time. */
    private static final String HOST = "demo-host";

    private static final String NOTE = "looks good";
    private static final String RESULT = "sha256 of all: ";
    private static final int TURNS = 300;
    private static final Pattern NEXT = Pattern.compile("\\b(task_answer|task_wait) with \\{\"task\":\"([^\"]+)\"}");

    private static final String HANDED_OVER = "the call was answered before the hold was over, and named its task";
    private static final String ANSWERED = "the question was told to the model, and its answer was taken";
    private static final String GIVEN = "a wait for the task gave the result";
    private static final String RAN_ONCE = "the work ran once";

    /** What an answer tells a model to do next. */
    private record Step(String tool, String task) {}

    private final DemoStage stage;
    private final boolean asks;

    /** What the demo must show, and has not shown yet. */
    private final Set<String> unseen = new LinkedHashSet<>(List.of(HANDED_OVER, ANSWERED, GIVEN, RAN_ONCE));

    /** @param asks whether the person at the terminal answers the question */
    HandOverPlay(DemoStage stage, boolean asks) {
        this.stage = stage;
        this.asks = asks;
    }

    int run() throws Exception {
        try (var client = McpClient.to(stage.open())
                .generation(ClientDialects.plain())
                .name(HOST, Version.TEXT)
                .connect()) {
            stage.say("3. a host connects that knows no tasks and gives a call up after a few seconds. Its model is"
                    + " listed: " + client.tools().stream().map(ToolInfo::name).collect(Collectors.joining(", ")));
            var folder = JsonText.object().put("folder", stage.tree().toString());
            var outcome = turn(client, "pack_tree", folder);
            if (next(outcome).filter(step -> step.tool().equals("task_wait")).isPresent()) {
                unseen.remove(HANDED_OVER);
            }
            stage.killAndRestart();
            outcome = goOn(client, outcome);
            stage.say("6. the work has ended. Its result:");
            new ResultPrinter(stage.terminal, false).print(outcome, Optional.empty());
            return end();
        }
    }

    /** Does what each answer says, until an answer names no next step. */
    private CallOutcome goOn(McpClient client, CallOutcome first) throws InterruptedException {
        var outcome = first;
        var step = next(outcome);
        for (int turn = 0; step.isPresent() && turn < TURNS; turn++) {
            var arguments = JsonText.object().put("task", step.get().task());
            boolean answers = step.get().tool().equals("task_answer");
            if (answers) {
                arguments.putObject("content").put("note", note());
            }
            outcome = turn(client, step.get().tool(), arguments);
            if (isGood(outcome)) {
                unseen.remove(answers ? ANSWERED : GIVEN);
            }
            step = next(outcome);
        }
        if (!text(outcome).contains(RESULT)) {
            unseen.add(GIVEN);
        }
        return outcome;
    }

    private CallOutcome turn(McpClient client, String tool, ObjectNode arguments) throws InterruptedException {
        stage.say("   the model calls " + tool + " with " + arguments + ", and sees:");
        var outcome = client.call(tool, JsonText.json(arguments)).await();
        SafeText.block(text(outcome)).lines().forEach(line -> stage.say("   | " + line));
        return outcome;
    }

    /** The first tool that an answer says to call. */
    private static Optional<Step> next(CallOutcome outcome) {
        var next = NEXT.matcher(text(outcome));
        return isGood(outcome) && next.find() ? Optional.of(new Step(next.group(1), next.group(2))) : Optional.empty();
    }

    private static boolean isGood(CallOutcome outcome) {
        return outcome instanceof CallOutcome.ToolResult;
    }

    private static String text(CallOutcome outcome) {
        return outcome instanceof CallOutcome.ToolResult result
                ? JsonText.tree(result.result())
                        .path("content")
                        .valueStream()
                        .map(item -> item.path("text").asString(""))
                        .collect(Collectors.joining("\n"))
                : outcome.toString();
    }

    /** The answer of the person to the model's question. */
    private String note() throws InterruptedException {
        if (!asks) {
            stage.say("   the model asks its user for the note, and is told: " + NOTE);
            return NOTE;
        }
        return UserConsole.at(stage.terminal)
                .ask("   the model asks you for the note (Enter for \"" + NOTE + "\"): ")
                .filter(line -> !line.isEmpty())
                .orElse(NOTE);
    }

    private int end() throws IOException {
        if (stage.history().size() == 1 && stage.runs() == 1) {
            unseen.remove(RAN_ONCE);
        }
        unseen.forEach(sight -> stage.say("longhaul: this was not seen: " + sight));
        if (unseen.isEmpty()) {
            stage.say("   The work ran once, though the server died under it.");
        }
        return unseen.isEmpty() ? ExitCode.OK : ExitCode.PROTOCOL_ERROR;
    }
}

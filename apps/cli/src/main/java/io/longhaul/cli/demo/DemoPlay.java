// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import io.longhaul.cli.answer.PresetAnswers;
import io.longhaul.cli.answer.QuestionAnswers;
import io.longhaul.cli.call.ResultPrinter;
import io.longhaul.cli.command.Version;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.cli.text.JsonText;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.McpClient;
import io.longhaul.protocol.dialect.Generation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The demo, act by act. */
final class DemoPlay {
    private static final double KILL_AT = 0.4;
    private static final int TIMEOUT_MINUTES = 10;

    private final DemoStage stage;
    private final boolean asks;
    private final CompletableFuture<Void> halfWay = new CompletableFuture<>();
    private final AtomicBoolean troubled = new AtomicBoolean();

    /** @param asks whether the person at the terminal answers the question */
    DemoPlay(DemoStage stage, boolean asks) {
        this.stage = stage;
        this.asks = asks;
    }

    int run(Optional<Generation> generation) throws Exception {
        var builder = McpClient.to(stage.open());
        generation.ifPresent(builder::generation);
        var questions =
                new QuestionAnswers(UserConsole.with(stage.terminal, stage.status), PresetAnswers.of(List.of(), !asks));
        // For a client of this name a server holds every call to its end.
        try (var client = builder.name("longhaul", Version.TEXT)
                .answers(questions.handler(false))
                .connect()) {
            var arguments = JsonText.object().put("folder", stage.tree().toString());
            var call = client.call("pack_tree", JsonText.json(arguments));
            var words = new DemoNarration(client.server());
            stage.say(words.called());
            call.onUpdate(this::show);
            var outcome = call.future();
            CompletableFuture.anyOf(halfWay, outcome).get(TIMEOUT_MINUTES, TimeUnit.MINUTES);
            stage.killAndRestart();
            stage.say(words.resumed());
            return end(words, outcome.get(TIMEOUT_MINUTES, TimeUnit.MINUTES));
        } catch (TimeoutException e) {
            stage.say("the call did not end in " + TIMEOUT_MINUTES + " minutes");
            return ExitCode.PROTOCOL_ERROR;
        }
    }

    private int end(DemoNarration words, CallOutcome outcome) {
        stage.status.end();
        stage.say("6. the call has ended. Its result:");
        int code = new ResultPrinter(stage.terminal, false).print(outcome, Optional.empty());
        stage.history();
        if (!words.missing().isEmpty()) {
            stage.say(words.missing());
        }
        return code;
    }

    private void show(CallUpdate update) {
        switch (update) {
            case CallUpdate.Status now -> {
                var progress = now.progress();
                stage.status.update(progress, progress == null ? now.message() : progress.message());
                if (progress != null && progress.total() != null && progress.current() >= progress.total() * KILL_AT) {
                    halfWay.complete(null);
                }
            }
            case CallUpdate.Trouble trouble -> {
                if (!troubled.getAndSet(true)) {
                    stage.say("   the client has noticed, and goes on trying");
                }
            }
            case CallUpdate.Created created -> stage.say("   " + created.reference());
            case CallUpdate.Part part -> stage.say("   a part of the answer has come");
            case CallUpdate.Log log -> {}
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import io.longhaul.cli.answer.PresetAnswers;
import io.longhaul.cli.answer.QuestionAnswers;
import io.longhaul.cli.call.ResultPrinter;
import io.longhaul.cli.command.Version;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.StatusLine;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.cli.text.JsonText;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.McpClient;
import io.longhaul.protocol.dialect.Generation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The demo, act by act. */
final class DemoPlay {
    private static final double KILL_AT = 0.4;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final DemoStage stage;
    private final Terminal terminal;
    private final Optional<Generation> generation;
    private final boolean yes;
    private final StatusLine status;
    private final CompletableFuture<Void> halfWay = new CompletableFuture<>();
    private final AtomicBoolean troubled = new AtomicBoolean();

    DemoPlay(DemoStage stage, Optional<Generation> generation, boolean yes) {
        this.stage = stage;
        this.terminal = stage.terminal;
        this.generation = generation;
        this.yes = yes;
        this.status = stage.status;
    }

    int run() throws Exception {
        var address = stage.open();
        var preset = PresetAnswers.of(List.of(), yes || !terminal.facts().asks());
        var questions = new QuestionAnswers(UserConsole.with(terminal, status), preset);
        var builder = McpClient.to(address);
        generation.ifPresent(builder::generation);
        // For a client of this name a server holds every call to its end.
        try (var client = builder.name("longhaul", Version.TEXT)
                .answers(questions.handler(false))
                .connect()) {
            var arguments = JsonText.object().put("folder", stage.folder.tree().toString());
            var call = client.call("pack_tree", JsonText.json(arguments));
            var words = new DemoNarration(client.server());
            stage.say(words.called());
            call.onUpdate(this::show);
            var outcome = call.future();
            awaitHalfWay(outcome);
            stage.killAndRestart();
            stage.say(words.resumed());
            return end(words, outcome.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
        } catch (TimeoutException e) {
            stage.say("the call did not end in " + TIMEOUT.toMinutes() + " minutes");
            return ExitCode.PROTOCOL_ERROR;
        } finally {
            stage.abandon();
        }
    }

    private void awaitHalfWay(CompletableFuture<CallOutcome> outcome) throws Exception {
        CompletableFuture.anyOf(halfWay, outcome).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    private int end(DemoNarration words, CallOutcome outcome) {
        status.end();
        stage.say("6. the call has ended. Its result:");
        int code = new ResultPrinter(terminal, false).print(outcome, Optional.empty());
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
                status.update(progress, progress == null ? now.message() : progress.message());
                if (progress != null && progress.total() != null && progress.current() >= progress.total() * KILL_AT) {
                    halfWay.complete(null);
                }
            }
            case CallUpdate.Trouble trouble -> {
                if (!troubled.getAndSet(true)) {
                    status.print("   the client has noticed, and goes on trying");
                }
            }
            case CallUpdate.Created created -> status.print("   " + created.reference());
            case CallUpdate.Part part -> status.print("   a part of the answer has come");
            case CallUpdate.Log log -> {}
        }
    }
}

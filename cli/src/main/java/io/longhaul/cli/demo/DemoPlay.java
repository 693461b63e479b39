package io.longhaul.cli.demo;

import io.longhaul.cli.ExitCode;
import io.longhaul.cli.Version;
import io.longhaul.cli.call.JsonText;
import io.longhaul.cli.call.PresetAnswers;
import io.longhaul.cli.call.QuestionAnswers;
import io.longhaul.cli.call.ResultPrinter;
import io.longhaul.cli.serve.DataFolder;
import io.longhaul.cli.terminal.LineInput;
import io.longhaul.cli.terminal.StatusLine;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.McpClient;
import io.longhaul.client.RemoteCall;
import io.longhaul.engine.task.Owner;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The demo, act by act. */
final class DemoPlay {
    /** The caller of a server on the same machine. */
    private static final Owner ME = Owner.LOCAL;

    private static final double KILL_AT = 0.4;
    private static final long DEAD_MILLIS = 2_500;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final Terminal terminal;
    private final DemoFolder folder;
    private final Optional<Generation> generation;
    private final boolean yes;
    private final StatusLine status;
    private final CompletableFuture<Void> halfWay = new CompletableFuture<>();
    private final AtomicBoolean troubled = new AtomicBoolean();
    private volatile @Nullable ServerProcess server;

    DemoPlay(Terminal terminal, DemoFolder folder, Optional<Generation> generation, boolean yes) {
        this.terminal = terminal;
        this.folder = folder;
        this.generation = generation;
        this.yes = yes;
        this.status = new StatusLine(terminal, InstantSource.system());
    }

    int run() throws Exception {
        long bytes = DemoTree.write(folder.tree());
        say("1. " + (bytes >> 20) + " MB of files to work on are in " + folder.tree());
        var file = folder.file();
        var first = ServerProcess.start(file, folder.data(), 0);
        server = first;
        say("2. a server is up at " + first.address() + ", process " + first.pid());
        var preset = PresetAnswers.of(List.of(), yes || !terminal.facts().asks());
        var questions = new QuestionAnswers(terminal, new LineInput(terminal.in()), status, preset);
        var builder = McpClient.to(first.address());
        generation.ifPresent(builder::generation);
        try (var client = builder.name("longhaul-demo", Version.TEXT)
                .answers(questions.handler(false))
                .connect()) {
            var arguments = JsonText.object().put("folder", folder.tree().toString());
            var call = client.call("pack_tree", JsonText.json(arguments));
            var words = new DemoWords(client.server().generation());
            say(words.called());
            call.onUpdate(this::show);
            var outcome = awaitInBackground(call);
            awaitHalfWay(outcome);
            killAndRestart(first, words);
            return end(words, outcome.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
        } catch (TimeoutException e) {
            say("the call did not end in " + TIMEOUT.toMinutes() + " minutes");
            return ExitCode.PROTOCOL_ERROR;
        } finally {
            abandon();
        }
    }

    private static CompletableFuture<CallOutcome> awaitInBackground(RemoteCall call) {
        var outcome = new CompletableFuture<CallOutcome>();
        Thread.ofVirtual().start(() -> {
            try {
                outcome.complete(call.await());
            } catch (RuntimeException | InterruptedException e) {
                outcome.completeExceptionally(e);
            }
        });
        return outcome;
    }

    private void awaitHalfWay(CompletableFuture<CallOutcome> outcome) throws Exception {
        CompletableFuture.anyOf(halfWay, outcome).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    private void killAndRestart(ServerProcess first, DemoWords words) throws IOException, InterruptedException {
        first.kill();
        say("4. the server is dead: SIGKILL to process " + first.pid()
                + ". Its job is a process of its own, and works on");
        Thread.sleep(DEAD_MILLIS);
        var second = ServerProcess.start(
                folder.path().resolve("demo.yaml"),
                folder.data(),
                first.address().getPort());
        server = second;
        say("5. a new server is up, process " + second.pid() + ". It finds the job where it is by now");
        say(words.resumed());
    }

    private int end(DemoWords words, CallOutcome outcome) {
        status.end();
        say("6. the call has ended. Its result:");
        int code = new ResultPrinter(terminal, false).print(outcome, Optional.empty());
        abandonServer();
        say("7. the server was told to end. What its data folder tells of the task:");
        try (var store = SqliteTaskStore.at(folder.data().resolve(DataFolder.STORE))) {
            store.list(ME, null, 1)
                    .forEach(task -> HistoryText.of(store, task.id()).forEach(terminal.out()::println));
        }
        if (!words.missing().isEmpty()) {
            say(words.missing());
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

    private void say(String line) {
        status.print(line);
    }

    /** Ends the server and removes all files; also when the user presses Ctrl-C. */
    void abandon() {
        abandonServer();
        folder.close();
    }

    private void abandonServer() {
        var running = server;
        if (running != null) {
            running.close();
        }
    }
}

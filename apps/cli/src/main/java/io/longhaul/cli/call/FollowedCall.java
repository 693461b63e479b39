// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.terminal.StatusLine;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.TaskReference;
import io.longhaul.protocol.call.TaskView.State;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Follows one call for a person at a terminal: shows updates, and asks on Ctrl-C whether to cancel it. Thread-safe. */
final class FollowedCall {
    private static final String QUESTION = "Cancel the task, leave it running, or go on? (c/l/g, Ctrl-C leaves): ";
    private static final String QUESTION_WITHOUT_TASK =
            "Cancel the call, or go on? It is no task and cannot be left running. (c/g, Ctrl-C cancels): ";

    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(5);

    private final Terminal terminal;
    private final StatusLine status;
    private final UserConsole console;
    private final RemoteCall<CallOutcome> call;
    private final TroubleLines troubles;
    private final CompletableFuture<End> end = new CompletableFuture<>();
    private final AtomicBoolean leaving = new AtomicBoolean();
    private final AtomicInteger interrupts = new AtomicInteger();
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private volatile @Nullable TaskReference reference;

    /** How following ended. */
    private sealed interface End {
        record Ended(CallOutcome outcome) implements End {}

        record Left(@Nullable TaskReference reference) implements End {}
    }

    FollowedCall(UserConsole console, RemoteCall<CallOutcome> call, TroubleLines troubles) {
        this.console = console;
        this.terminal = console.terminal();
        this.status = console.status();
        this.call = call;
        this.troubles = troubles;
    }

    /** Follows the call to its end, or until the user leaves, and prints the outcome. */
    int follow(ResultPrinter printer) throws InterruptedException {
        call.onUpdate(update -> show(update, printer));
        call.future().thenAccept(outcome -> end.complete(new End.Ended(outcome)));
        try (var ticker = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().factory())) {
            ticker.scheduleAtFixedRate(status::refresh, 1, 1, TimeUnit.SECONDS);
            var how = end.get();
            ticker.shutdownNow();
            status.end(how instanceof End.Ended(var outcome) ? printer.text(outcome) : "");
            warn();
            return report(how, printer);
        } catch (ExecutionException e) {
            status.end();
            throw e.getCause() instanceof RuntimeException problem ? problem : new IllegalStateException(e.getCause());
        }
    }

    private int report(End how, ResultPrinter printer) throws InterruptedException {
        return switch (how) {
            case End.Left left -> {
                var kept = left.reference();
                terminal.say(
                        kept == null
                                ? "the call was given up"
                                : "the task goes on without you; to come back:\n  longhaul attach " + kept);
                printer.left(Optional.ofNullable(kept).map(TaskReference::toString));
                yield ExitCode.INTERRUPTED;
            }
            case End.Ended(var outcome) -> {
                var kept = Optional.ofNullable(reference);
                int code = printer.print(outcome, kept.map(TaskReference::toString));
                yield switch (outcome) {
                    case CallOutcome.Lost(var why) -> lost(why);
                    case CallOutcome.Cancelled cancelled when interrupts.get() > 0 -> ExitCode.INTERRUPTED;
                    default -> code;
                };
            }
        };
    }

    /** Says how to go on after following has ended before the task; gives the exit code. */
    private int lost(String why) throws InterruptedException {
        call.reference().ifPresent(kept -> terminal.say("it may still be there; to look:\n  longhaul attach " + kept));
        return troubles.areWhy(why) ? ExitCode.CONNECTION : ExitCode.PROTOCOL_ERROR;
    }

    private void show(CallUpdate update, ResultPrinter printer) {
        switch (update) {
            case CallUpdate.Created created -> reference = created.reference();
            case CallUpdate.Status now -> {
                printer.heard(now.message());
                // Why a task failed is printed with its outcome.
                status.update(now.progress(), now.state() == State.FAILED ? null : message(now));
            }
            case CallUpdate.Part part -> {
                status.pause();
                try {
                    printer.part(part.result());
                } catch (Problem unwritten) {
                    leave();
                }
                status.resume();
            }
            case CallUpdate.Log log -> status.print(SafeText.line(log.level()) + ": " + SafeText.quote(log.text()));
            case CallUpdate.Trouble trouble -> troubles.accept(trouble.what());
        }
        warn();
    }

    /** The latest message: the progress message where there is one, which is newer than the status message. */
    private static @Nullable String message(CallUpdate.Status now) {
        var progress = now.progress();
        return progress != null && progress.message() != null ? progress.message() : now.message();
    }

    private void warn() {
        call.warnings().stream().filter(warned::add).forEach(warning -> status.say(SafeText.line(warning)));
    }

    /** Handles Ctrl-C: asks the user the first time, and leaves the call the second time. */
    void interrupted() {
        boolean first = interrupts.incrementAndGet() == 1;
        if (!first || !terminal.facts().asks()) {
            endLine();
            leave();
        } else {
            Thread.ofVirtual().name("ask-whether-to-cancel").start(this::ask);
        }
    }

    private void ask() {
        try {
            status.pause();
            terminal.err().println();
            while (!end.isDone()) {
                var answer = console.ask(reference == null ? QUESTION_WITHOUT_TASK : QUESTION)
                        .orElse("l")
                        .toLowerCase(Locale.ROOT);
                if (answer.startsWith("c")) {
                    call.cancel();
                    status.resume();
                    status.update(null, "cancelling");
                    return;
                }
                if (answer.startsWith("l") && reference != null) {
                    leave();
                    return;
                }
                if (answer.startsWith("g")) {
                    interrupts.set(0);
                    status.resume();
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the line on which the terminal has shown ^C. */
    private void endLine() {
        if (terminal.facts().asks()) {
            terminal.err().println();
        }
    }

    /**
     * Leaves the call. A task goes on without this client. Any other call is cancelled; the client waits a moment for
     * that, or until another Ctrl-C.
     */
    private void leave() {
        if (reference == null && !leaving.getAndSet(true)) {
            call.cancel();
            end.completeOnTimeout(new End.Left(null), CANCEL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } else {
            end.complete(new End.Left(reference));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.said;

import io.longhaul.backend.shell.process.Pause;
import io.longhaul.backend.shell.said.Said.Reply;
import io.longhaul.backend.shell.said.Said.Reply.Kind;
import io.longhaul.backend.shell.said.SaidLines.Line;
import io.longhaul.engine.run.PollPace;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.secret.SecretMask;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what the command of one run says to its task, and answers by files, however often the command starts. A
 * line is done with when what it says is recorded: the next server goes on behind it. Each question and each call has a
 * thread of its own while it is open. One thread uses an instance.
 */
public final class TaskTalk implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TaskTalk.class);

    /** The most refused lines of which the log tells. */
    private static final int TOLD = 20;

    /** The characters of log lines that become one entry. */
    private static final int ENTRY = 8 * 1024;

    /** The most characters of log lines of one run. */
    private static final long LOGGED = 64 << 20;

    private static final Duration LOOK_FOR_CANCEL = Duration.ofSeconds(1);

    /** Nothing else is tried at the same time. */
    private static final double NO_SPREAD = 0.5;

    private final Run run;
    private final SaidFormat format;
    private final TaskFolder folder;
    private final Pause pause;
    private final boolean emits;
    private final Map<Reply, Thread> open = new ConcurrentHashMap<>();
    private final StringBuilder log = new StringBuilder();
    private String level = "";
    private final CompletableFuture<Void> answered = new CompletableFuture<>();
    private @Nullable SaidLines lines;
    private SecretMask masking = SecretMask.NONE;
    private int refused;
    private long logged;

    /** @param emits whether partial output is what the command says, and not found in its output */
    public TaskTalk(Run run, SaidFormat format, TaskFolder folder, Pause pause, boolean emits) {
        this.run = run;
        this.format = format;
        this.folder = folder;
        this.pause = pause;
        this.emits = emits;
    }

    public TaskFolder folder() {
        return folder;
    }

    /** Makes the folder ready for a start of the command: it has what earlier attempts have recorded. */
    public void prepare() throws IOException {
        folder.prepare(run.spec().request().bytes());
        var recorded = run.recorded();
        for (var step : recorded.steps().entrySet()) {
            restore(new Reply(Kind.STEPS, step.getKey()), format.value(step.getValue()));
        }
        for (var answer : recorded.answers().entrySet()) {
            restore(new Reply(Kind.ANSWERS, answer.getKey()), answer.getValue().bytes());
        }
    }

    private void restore(Reply reply, byte[] content) throws IOException {
        if (Reply.isName(reply.name()) && !folder.has(reply)) {
            folder.answer(reply, content);
        }
    }

    /** Goes on with a command that has begun. What it says is masked from here on. */
    public void follow(SecretMask secrets) throws IOException {
        masking = secrets;
        if (lines == null) {
            var unheard = new SaidLines(folder, emits ? run.partialCount() : 0);
            for (var line : folder.open()) {
                hear(new Line(line, unheard.done()));
            }
            lines = unheard;
        }
    }

    /** Carries out new lines; false where there were none. */
    public boolean advance() throws IOException {
        return carryOut(heard().next());
    }

    private SaidLines heard() {
        return Objects.requireNonNull(lines, "the command is not followed");
    }

    private boolean carryOut(List<Line> next) throws IOException {
        try {
            for (var line : next) {
                hear(line);
            }
            flushLog();
            if (!next.isEmpty()) {
                heard().saveDone(next.getLast().end());
            }
            return !next.isEmpty();
        } catch (IOException e) {
            log.setLength(0);
            heard().readAgain();
            throw e;
        }
    }

    /** Carries out all that is left; a last line without a line feed included. */
    public void finish() throws IOException {
        while (advance()) {
            // The loop ends, because the command has ended.
        }
        carryOut(heard().last().stream().toList());
    }

    /**
     * Waits until a question is answered, unless one was since the command began.
     *
     * @param begun when the command began
     * @return false where there is no such question, so that the command waits for nothing
     */
    public boolean awaitAnswer(Instant begun) throws IOException, InterruptedException {
        while (!folder.isAnsweredSince(begun)) {
            if (open.keySet().stream().noneMatch(reply -> reply.kind() == Kind.ANSWERS)) {
                return folder.isAnsweredSince(begun);
            }
            if (run.isStopping()) {
                throw new InterruptedException("stopped while a question was open");
            }
            pause.await(LOOK_FOR_CANCEL, answered);
        }
        return true;
    }

    private void hear(Line line) throws IOException {
        var said = format.read(masking.mask(line.bytes()));
        // Progress and status do not part log lines: a command that says both by turns costs no commit a line.
        if (!(said instanceof Said.Logged || said instanceof Said.Progressed || said instanceof Said.Status)) {
            flushLog();
        }
        switch (said) {
            case Said.Progressed(var progress) -> run.progress(progress);
            case Said.Status(var text) -> run.status(text);
            case Said.Logged(var of, var text) -> log(of, text);
            case Said.Emitted emitted -> emit(emitted, line);
            case Said.Step step -> record(step);
            case Said.Asked asked -> begin(new Reply(Kind.ANSWERS, asked.key()), line, () -> ask(asked));
            case Said.Called called -> begin(new Reply(Kind.CHILDREN, called.name()), line, () -> call(called));
            case Said.Ended(var end) -> folder.saveEnd(end.bytes());
            case Said.Refused(var waiting, var why) -> refuse(why, waiting == null ? List.of() : List.of(waiting));
        }
    }

    /** Lines that come together are one entry. */
    private void log(String of, String text) throws IOException {
        boolean isFull = logged > LOGGED;
        logged += text.length();
        if (logged > LOGGED) {
            if (!isFull) {
                flushLog();
                refuse("the log of the command ends here, with 64 MB", List.of());
            }
            return;
        }
        if (!level.equals(of) || log.length() + text.length() > ENTRY) {
            flushLog();
        }
        level = of;
        log.append(log.isEmpty() ? "" : "\n").append(text);
    }

    private void flushLog() throws IOException {
        var entry = log.toString();
        log.setLength(0);
        if (!entry.isEmpty()) {
            write(entry);
        }
    }

    /** Writes lines as one entry, or as several where they are too long together. */
    private void write(String lines) throws IOException {
        try {
            run.log(level, null, format.text(lines));
        } catch (RunException e) {
            int middle = lines.length() / 2;
            int end = Math.max(lines.indexOf('\n', middle), lines.lastIndexOf('\n', middle));
            if (end < 0) {
                refuse(told(e), List.of());
                return;
            }
            write(lines.substring(0, end));
            write(lines.substring(end + 1));
        }
    }

    private void emit(Said.Emitted emitted, Line line) throws IOException {
        if (!emits) {
            refuse("partial output of this tool is found in its output, as partial: says", List.of());
            return;
        }
        heard().saveEmitting(line);
        try {
            run.partial(emitted.piece());
        } catch (RunException e) {
            refuse(told(e), List.of());
        }
    }

    private void record(Said.Step step) throws IOException {
        var reply = new Reply(Kind.STEPS, step.name());
        if (folder.has(reply)) {
            return;
        }
        try {
            folder.answer(reply, format.value(run.step(step.name(), step::value)));
        } catch (RunException e) {
            refuse(told(e), List.of(reply));
        } catch (IllegalArgumentException e) {
            refuse("the name " + step.name() + " is taken", List.of(reply));
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a step that only has a value", e);
        }
    }

    private interface Work {
        byte[] reply() throws InterruptedException;
    }

    /** Begins what takes its time, unless it is open or answered. */
    private void begin(Reply reply, Line line, Work work) throws IOException {
        if (folder.has(reply) || open.containsKey(reply)) {
            return;
        }
        folder.saveOpen(reply, line.bytes());
        open.put(reply, Thread.ofVirtual().name("said-" + run.id()).unstarted(() -> {
            try {
                carryOut(reply, work);
            } catch (InterruptedException | StaleRunException e) {
                LOG.debug("{} of task {} is over", reply, run.id(), e);
            } catch (RuntimeException e) {
                LOG.error("{} of task {} waits for the next start of the server", reply, run.id(), e);
            }
        }));
        open.get(reply).start();
    }

    private void carryOut(Reply reply, Work work) throws InterruptedException {
        for (var pace = PollPace.of(null).troubled(); ; pace = pace.troubled()) {
            try {
                folder.answer(reply, work.reply());
                open.remove(reply);
                if (reply.kind() == Kind.ANSWERS) {
                    answered.complete(null);
                }
                return;
            } catch (StoreException | IOException e) {
                LOG.warn("{} of task {} is tried again soon: {}", reply, run.id(), e.getMessage());
            }
            pause.await(pace.next(NO_SPREAD), new CompletableFuture<>());
        }
    }

    private byte[] ask(Said.Asked asked) throws InterruptedException {
        try {
            return format.ask(run, recorded(asked));
        } catch (RunException e) {
            return format.error(told(e));
        } catch (UnsupportedOperationException e) {
            return format.error("A quick call asks nobody: make the tool long.");
        }
    }

    /** The question as an earlier attempt has asked it under this key, as on another machine. */
    private Said.Asked recorded(Said.Asked asked) {
        var before = run.recorded().open().get(asked.key());
        if (before == null
                || before.method().equals(asked.method()) && before.params().equals(asked.params())) {
            return asked;
        }
        var told = "The question " + asked.key() + " is open in other words, which hold.";
        run.log("warning", null, format.text(told));
        return new Said.Asked(asked.key(), before.method(), before.params());
    }

    private byte[] call(Said.Called called) throws InterruptedException {
        try {
            return format.ended(
                    run.call(called.name(), () -> format.call(run, called)).await());
        } catch (RunException e) {
            return format.error(told(e));
        } catch (IllegalArgumentException e) {
            return format.error(String.valueOf(e.getMessage()));
        } catch (UnsupportedOperationException e) {
            return format.error("A quick call calls no tools: make the tool long.");
        }
    }

    private static String told(RunException e) {
        return e.outcome() instanceof Outcome.Error error ? error.message() : "It cannot be done.";
    }

    private void refuse(String why, List<Reply> waiting) throws IOException {
        refused++;
        if (refused <= TOLD) {
            run.log("warning", null, format.text("A line of the command is not taken: " + why + "."));
        } else if (refused == TOLD + 1) {
            run.log("warning", null, format.text("More lines of the command are not taken."));
        }
        for (var reply : waiting) {
            if (!folder.has(reply)) {
                folder.answer(reply, format.error(why));
            }
        }
    }

    /** Ends the threads; what is open goes on when the task does. */
    @Override
    public void close() {
        open.values().forEach(Thread::interrupt);
    }
}

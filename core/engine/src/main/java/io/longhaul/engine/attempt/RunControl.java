// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.children.CalledChild;
import io.longhaul.engine.children.Children;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.ledger.ChangeResult;
import io.longhaul.engine.ledger.Ledger;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.run.MessageText;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.slot.RunSlot;
import io.longhaul.engine.slot.RunThread;
import io.longhaul.engine.store.WrittenOutput;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.transition.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One attempt: the operations of its backend on the task, and the means of the engine to stop the attempt. */
final class RunControl implements CalledChild.Parent {

    /** The creation and the first start. */
    private static final int EVENTS_OF_A_START = 2;

    private final LiveTask live;
    private final RunThread thread = new RunThread();
    private final RunSlot slot;

    private final EngineContext parts;
    private final Ledger ledger;
    private final Lease lease;
    private final QuestionDeadlines questioning;
    private final Task begun;
    private final @Nullable Work work;
    private final @Nullable Instant deadline;
    private final ProgressReports reports;
    private final QuestionReplay questions;
    private final PartialOutput pieces;
    private final WrittenOutput written;
    private final IdleTimer idle;
    private final Children children;
    private final RecordedSteps steps;
    private volatile Command.@Nullable FailAttempt retry;

    /** The names of calls of the task; those of earlier attempts when this one has called, too. */
    private final Set<String> called = new HashSet<>();

    /** Whether {@link #called} has the children that earlier attempts may have called without a record of that. */
    private boolean isAllCalled;

    /** Apart from {@link #called}, so that a reader does not wait for the read of the steps. */
    private final AtomicInteger callsMade = new AtomicInteger();

    RunControl(LiveTask live, EngineContext parts, Ledger ledger, QuestionDeadlines questioning, Children children) {
        this.live = live;
        slot = live.slot();
        this.parts = parts;
        this.ledger = ledger;
        this.children = children;
        lease = ledger.lease();
        this.questioning = questioning;
        begun = live.stored();
        work = parts.works().get(begun.spec().work());
        deadline = Deadlines.of(live, work, parts.store());
        questions = new QuestionReplay(
                begun.status().inputs(), goesOn(), parts.limits().inputsPerTask());
        pieces = new PartialOutput(parts, live.id(), isFresh());
        steps = new RecordedSteps(parts.store(), live.id(), isFresh());
        written = new WrittenOutput(parts.store().rows(), live.id());
        idle = new IdleTimer(parts, begun, slot, written);
        reports = new ProgressReports(live, parts, this::storeReport, idle);
    }

    IdleTimer idle() {
        return idle;
    }

    /** Whether nothing can be recorded: this is the first attempt, and the task took nothing over. */
    private boolean isFresh() {
        return begun.position().lastEvent() <= EVENTS_OF_A_START;
    }

    @Override
    public @Nullable Work work() {
        return work;
    }

    private boolean goesOn() {
        return work != null && work.crashPolicy() == CrashPolicy.REATTACH;
    }

    @Override
    public LiveTask live() {
        return live;
    }

    @Override
    public RunThread thread() {
        return thread;
    }

    @Override
    public RunSlot slot() {
        return slot;
    }

    @Override
    public TaskId id() {
        return live.id();
    }

    @Override
    public TaskSpec spec() {
        return begun.spec();
    }

    @Override
    public int attempt() {
        return begun.execution().attempts().started();
    }

    @Override
    public int retries() {
        return begun.execution().attempts().failed();
    }

    @Override
    public boolean retry(String why) {
        Work work = work();
        if (work == null || retries() >= work.retry().count()) {
            return false;
        }
        int failed = retries() + 1;
        Instant at = parts.time().now().plus(work.retry().pauseAfter(failed));
        retry = new Command.FailAttempt(failed, at, MessageText.cut(work.retry().told(failed, why)));
        return true;
    }

    /** The retry that this attempt has asked for, or null. */
    Command.@Nullable FailAttempt retry() {
        return retry;
    }

    @Override
    public @Nullable Instant deadline() {
        return deadline;
    }

    @Override
    public boolean isStopping() {
        return thread.stop() != RunThread.Stop.NONE;
    }

    @Override
    public boolean isHandingBack() {
        var stop = thread.stop();
        return stop == RunThread.Stop.HANDING_BACK || stop == RunThread.Stop.LOST;
    }

    @Override
    public void progress(Progress progress) {
        thread.works();
        checkRight();
        reports.report(progress, null);
    }

    @Override
    public void status(String message) {
        thread.works();
        checkRight();
        reports.report(null, message);
    }

    @Override
    public void log(String level, @Nullable String logger, Payload data) {
        thread.works();
        pieces.check("A log line", data);
        write(new Command.Record(new EventDetail.Logged(level, logger, data)));
    }

    @Override
    public void partial(Payload output) {
        thread.works();
        checkRight();
        pieces.add(output, this::write);
    }

    @Override
    public int partialCount() {
        return pieces.count();
    }

    @Override
    public void write(String text, String mark) {
        thread.works();
        checkRight();
        thread.shielded(() -> {
            written.write(parts.time().now(), text, mark, parts.limits().outputBytes());
            return mark;
        });
        idle.reset();
    }

    @Override
    public Optional<String> writtenTo() {
        return written.mark();
    }

    @Override
    public Payload step(String name, Callable<Payload> action) throws Exception {
        thread.works();
        Payload recorded = steps.claim(name);
        if (recorded != null) {
            return recorded;
        }
        checkRight();
        Payload result;
        try {
            result = action.call();
        } catch (Exception | Error e) {
            steps.release(name);
            throw e;
        }
        write(new Command.Record(new EventDetail.StepDone(name, result)));
        return result;
    }

    @Override
    public Recorded recorded() {
        var values = new HashMap<>(steps.all());
        values.keySet().removeAll(steps.calls());
        return new Recorded(Map.copyOf(values), questions.answered(), questions.outstanding());
    }

    @Override
    public Child call(String name, Supplier<Call> call) {
        if (name.isEmpty() || name.endsWith("/")) {
            throw new IllegalArgumentException("the name of a call is empty or ends with a slash: '" + name + "'");
        }
        thread.works();
        Payload recorded = steps.claim(name);
        checkRight();
        TaskId child = recorded == null ? newChild(name, call.get()) : recordedChild(name, recorded, call);
        return new CalledChild(child, this, children);
    }

    /** A child that the task took over is not kept for this task: where it is gone, another one is called. */
    private TaskId recordedChild(String name, Payload recorded, Supplier<Call> call) {
        var child = new EventDetail.StepDone(name, recorded).child();
        if (child == null) {
            throw new IllegalArgumentException("the step '" + name + "' of an earlier attempt was no call");
        }
        return children.isTakenOver(begun, child) ? child : newChild(name, call.get());
    }

    private TaskId newChild(String name, Call call) {
        countCall(name);
        TaskId child;
        try {
            child = thread.shielded(() -> children.create(live, name, retries(), call));
        } finally {
            callsMade.incrementAndGet();
        }
        write(new Command.Record(EventDetail.StepDone.ofCall(name, child)));
        return child;
    }

    private synchronized void countCall(String name) {
        if (!isAllCalled && !isFresh()) {
            called.addAll(children.names(begun));
            called.addAll(steps.calls());
        }
        isAllCalled = true;
        int most = parts.limits().childrenPerTask();
        if (called.size() >= most && !called.contains(name)) {
            throw RunException.internal("The task has called " + most + " tasks and may call no more.");
        }
        called.add(name);
    }

    @Override
    public int callsMade() {
        return callsMade.get();
    }

    /** Whether the task has children, which may still run. */
    boolean hasChildren() {
        synchronized (this) {
            if (!called.isEmpty() || isFresh()) {
                return !called.isEmpty();
            }
        }
        return children.any(begun);
    }

    @Override
    public Payload ask(@Nullable String key, String method, Payload params, @Nullable Duration timeout)
            throws InterruptedException {
        return askAll(List.of(new Question(key, method, params)), timeout).getFirst();
    }

    @Override
    public List<Payload> askAll(List<Question> asked, @Nullable Duration timeout) throws InterruptedException {
        thread.works();
        checkRight();
        Instant now = parts.time().now();
        Instant until = now.plus(timeout == null ? parts.limits().answerTimeout() : timeout);
        var opened = questions.open(asked, now, until);
        if (!opened.fresh().isEmpty()) {
            // model: ask
            write(new Command.Ask(opened.fresh()));
        }
        var answers = answers(opened.keys());
        if (answers == null) {
            return awaitAnswers(opened.keys());
        }
        // Another thread of this attempt may have given the slot away.
        resume();
        return answers;
    }

    @Override
    public Map<String, InputRequest> questionsOf(TaskId child) {
        var asked = new LinkedHashMap<String, InputRequest>();
        Task now = ledger.settle(live);
        if (now == null) {
            throw lost();
        }
        now.status().inputs().stream()
                .filter(question -> question.isOfChild() && question.key().startsWith(child + "/"))
                .forEach(question -> asked.put(question.key(), question));
        return asked;
    }

    @Override
    public void askForChild(List<InputRequest> fresh) {
        fresh.forEach(questions::count);
        if (!fresh.isEmpty()) {
            write(new Command.Ask(fresh));
        }
    }

    @Override
    public void withdraw(InputRequest question, Payload answer) {
        var command = new Command.Answer(Map.of(question.key(), answer));
        thread.shielded(() -> ledger.change(live, command, lease));
    }

    private @Nullable List<Payload> answers(List<String> keys) {
        return QuestionReplay.answers(live.stored().status().inputs(), keys);
    }

    private List<Payload> awaitAnswers(List<String> keys) throws InterruptedException {
        thread.beginWait();
        var alarms = alarms(keys);
        slot.pause();
        try {
            while (true) {
                var waiter = live.watchers().register();
                try {
                    checkStillWaiting();
                    var answers = answers(keys);
                    if (answers != null) {
                        return answers;
                    }
                    waiter.await();
                } finally {
                    waiter.leave();
                }
            }
        } finally {
            alarms.forEach(TaskTime.Alarm::cancel);
            resume();
            thread.endWait();
        }
    }

    @Override
    public void resume() {
        slot.resume(thread, live.watchers());
        idle.reset();
    }

    private List<TaskTime.Alarm> alarms(List<String> keys) {
        var alarms = new ArrayList<TaskTime.Alarm>();
        for (var question : live.stored().outstanding()) {
            if (keys.contains(question.key())) {
                alarms.add(questioning.deadline(live, question));
            }
        }
        if (work != null && work.suspendAfter() != null) {
            alarms.add(parts.time().at(parts.time().now().plus(work.suspendAfter()), this::suspend));
        }
        return alarms;
    }

    private void suspend() {
        if (QuestionDeadlines.onlyWaits(live.stored())) {
            thread.suspend();
        }
    }

    @Override
    public void checkStillWaiting() throws InterruptedException {
        thread.works();
        idle.reset();
        checkRight();
        if (isStopping()) {
            throw new InterruptedException("the work should stop");
        }
    }

    @Override
    public Optional<Payload> handle() {
        return Optional.ofNullable(live.stored().execution().handle());
    }

    @Override
    public void saveHandle(Payload handle) {
        thread.works();
        write(new Command.SaveHandle(handle));
    }

    private void storeReport(Command.Report report) {
        write(report);
    }

    private void write(Command command) {
        checkRight();
        ChangeResult changed = thread.shielded(() -> ledger.change(live, command, lease));
        switch (changed) {
            case ChangeResult.Done done -> idle.stored(command);
            case ChangeResult.Refused refused when refused.task().state().isTerminal() -> throw ended();
            case ChangeResult.Refused refused ->
                throw new IllegalStateException(command.name() + " is illegal in state "
                        + refused.task().state() + ": " + refused.reason());
            case ChangeResult.Fenced fenced -> throw lost();
            case ChangeResult.Missing missing -> throw lost();
        }
    }

    private StaleRunException lost() {
        thread.stop(RunThread.Stop.LOST);
        return stale();
    }

    private void checkRight() {
        var stop = thread.stop();
        if (stop == RunThread.Stop.ENDED || stop == RunThread.Stop.LOST || thread.isSuspended()) {
            throw stale();
        }
        if (live.stored().ending() != null) {
            throw ended();
        }
    }

    /** Stops the run, which has seen the end of its task before the engine could stop it. */
    private StaleRunException ended() {
        thread.stop(RunThread.Stop.ENDED);
        return stale();
    }

    private StaleRunException stale() {
        return new StaleRunException("attempt " + attempt() + " of task " + live.id() + " has lost its right to it");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.Rate;
import io.longhaul.engine.run.Retry;
import io.longhaul.engine.run.SuspendedException;
import io.longhaul.engine.run.Work.Bounds;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.protocol.Require;
import io.longhaul.receiver.Rounds;
import io.longhaul.receiver.tool.ServedTool.Parts;
import io.longhaul.receiver.tool.ServedTool.Plain;
import io.longhaul.server.internal.schema.Schemas;
import io.longhaul.server.internal.tool.TaskOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Options of a long-running tool: how its tasks are run and kept. Not thread-safe. */
public final class LongRunning {

    private @Nullable Duration keep;
    private @Nullable CrashPolicy crashPolicy;
    private @Nullable Duration timeout;
    private @Nullable Duration idle;
    private @Nullable Rate rate;
    private @Nullable Duration suspendAfter;
    private @Nullable String immediate;
    private @Nullable Duration resumeWait;
    private @Nullable Duration resumeFor;
    private @Nullable Duration hold;
    private WhenAbandoned whenAbandoned = WhenAbandoned.KEEP;
    private WhenRepeated whenRepeated = WhenRepeated.JOIN;
    private boolean resumeAlways;
    private TaskOptions.Retries retries = TaskOptions.Retries.NEVER;
    private int resultText = Integer.MAX_VALUE;
    private int concurrency = Integer.MAX_VALUE;
    private int priority;
    private boolean taskOnly;
    private boolean mayAskFirst;
    private final List<String> formerly = new ArrayList<>();
    private final List<ElicitRequest> elicitFirst = new ArrayList<>();
    private final List<ElicitRequest> elicitAsArgument = new ArrayList<>();

    LongRunning() {}

    /** What has been said so far. */
    TaskOptions options() {
        return new TaskOptions(
                new TaskOptions.Running(
                        keep,
                        crashPolicy,
                        new Bounds(timeout, idle, concurrency, priority, rate),
                        suspendAfter,
                        retries,
                        formerly),
                taskOnly,
                new TaskOptions.Told(immediate, resultText),
                new Parts(resumeAlways, resumeWait, resumeFor),
                new Plain(hold, whenAbandoned == WhenAbandoned.KEEP, whenRepeated == WhenRepeated.JOIN),
                new TaskOptions.Questions(elicitFirst, mayAskFirst, elicitAsArgument));
    }

    /**
     * How long a finished task is kept after its end where its caller does not ask for a retention; the shortest
     * retention of the server does not lengthen it. A server refuses a tool with more than
     * {@link io.longhaul.engine.TaskLimits#longestRetention()}.
     */
    public LongRunning keepFor(Duration duration) {
        keep = positive(duration, "keepFor");
        return this;
    }

    /**
     * What happens to tasks of this tool after the server died. By default {@code FAIL} for handlers, {@code REATTACH}
     * for backends.
     */
    public LongRunning onCrash(CrashPolicy policy) {
        crashPolicy = policy;
        return this;
    }

    /** How long one task may run in all. */
    public LongRunning timeout(Duration duration) {
        timeout = positive(duration, "timeout");
        return this;
    }

    /**
     * How long the work of a task may say nothing: no progress, status message, log line, output, step, call or
     * question. Then the task ends as by a {@link #timeout}. What says the same as before counts for nothing; time in
     * which the work waits for an answer, for a tool that it has called or for a retry does not count.
     */
    public LongRunning idle(Duration duration) {
        idle = positive(duration, "idle");
        return this;
    }

    /**
     * Suspends a task whose question waits for its answer for longer than this. A handler that waits keeps its thread
     * and all that it holds, some kilobytes for each task; a suspended task keeps only its record. The wait of the
     * handler ends with a {@link SuspendedException}, and nothing that the handler does then counts. The answer runs
     * the handler again, which gets the recorded results of its {@linkplain TaskContext#step steps} and the recorded
     * answers, as after a crash. By default no task is suspended.
     *
     * <p>The tool needs {@link #onCrash} with {@code RESTART}: the server refuses it otherwise.
     */
    public LongRunning suspendAfter(Duration duration) {
        suspendAfter = positive(duration, "suspendAfter");
        return this;
    }

    /**
     * Runs a handler again that throws, up to {@code count} times: after {@code backoff}, and then after pauses that
     * double up to five minutes. A {@link ToolException}, an {@link McpException} and a {@link ChildFailedException}
     * are what the caller gets, and end the task. The next attempt gets the recorded results of its
     * {@linkplain TaskContext#step steps} and the recorded answers, and calls a tool again that has failed. The
     * {@link #timeout} bounds all attempts; a cancel ends the pause. The count and the pause survive a crash. A backend
     * says itself which failures are repeated.
     */
    public LongRunning retry(int count, Duration backoff) {
        retries = TaskOptions.Retries.of(new Retry(count, backoff));
        return this;
    }

    /**
     * As {@link #retry(int, Duration)}, after these exceptions only.
     *
     * @param on whether a handler that has thrown this runs again, such as {@code IOException.class::isInstance}
     */
    public LongRunning retry(int count, Duration backoff, Predicate<? super Exception> on) {
        retries = new TaskOptions.Retries(new Retry(count, backoff), on);
        return this;
    }

    /**
     * The longest text of a result that a caller gets at once: of a longer one, a caller gets the first and the last
     * half of this, and a link to the whole, which every client can read as long as the task is kept. By default a
     * caller gets the whole text; a file of tools has 50 KB. Structured content stays whole.
     *
     * @param bytes at least 1
     */
    public LongRunning resultText(int bytes) {
        Require.that(bytes >= 1, "resultText must be at least 1 byte, not " + bytes);
        resultText = bytes;
        return this;
    }

    /** How many tasks of this tool run at once; the others wait. */
    public LongRunning concurrency(int tasks) {
        Require.that(tasks >= 1, "concurrency must be at least 1, not " + tasks);
        concurrency = tasks;
        return this;
    }

    /**
     * Which tool gets a free slot first where tasks of several tools wait for one: the tool with the greatest number.
     * Tasks of the same priority, 0 by default, begin in the order of their arrival. A task waits as long as tasks of a
     * greater priority wait; give those a {@link #concurrency}, so that slots are left for others.
     */
    public LongRunning priority(int number) {
        priority = number;
        return this;
    }

    /**
     * How many tasks of this tool begin in any span of this time, at each node and since its start; the others wait. A
     * task that goes on after an answer, a crash or a failure does not count.
     *
     * @param tasks  1 to 100,000
     * @param period positive
     */
    public LongRunning rate(int tasks, Duration period) {
        return rate(new Rate(tasks, period));
    }

    /** As {@link #rate(int, Duration)}. */
    public LongRunning rate(Rate starts) {
        rate = starts;
        return this;
    }

    /**
     * Refuses callers that cannot take a task for an answer. That closes the tool to plain clients, which most hosts
     * are: clients of 2025-06-18 and older do not see the tool in lists, and newer clients that ask for no task get an
     * error. Without this option, a plain call waits for the outcome of the same durable task. A call that takes longer
     * than the host waits is handed over to the model.
     */
    public LongRunning taskOnly() {
        taskOnly = true;
        return this;
    }

    /**
     * A text for the model while the task runs; {@link ToolDefinition#immediateResult} computes such a text from the
     * arguments.
     */
    public LongRunning immediateResponse(String text) {
        immediate = text;
        return this;
    }

    /**
     * Answers every caller part by part, with resume tokens, also a caller that did not declare support for them. A
     * caller that asks for a task gets a task. The first result is the {@linkplain #immediateResponse immediate
     * response}, or else the first {@linkplain TaskContext#partial piece} of output. A caller that ignores the token
     * gets nothing more.
     */
    public LongRunning resumeAlways() {
        resumeAlways = true;
        return this;
    }

    /**
     * How long a resumed call waits for a next part that does not exist yet; zero for not at all. The default is that
     * of {@link McpServerBuilder#rounds}, 10 s.
     */
    public LongRunning resumeWait(Duration duration) {
        Require.that(!duration.isNegative(), "resumeWait must not be negative, but is " + duration);
        resumeWait = duration;
        return this;
    }

    /**
     * How long a resume token is valid, a week at most. The default is that of {@link McpServerBuilder#rounds}, a week.
     * A task is kept as long as its tokens are valid: a {@link #keepFor} must not be shorter.
     */
    public LongRunning resumeFor(Duration duration) {
        if (positive(duration, "resumeFor").compareTo(Rounds.LONGEST_LIFE) > 0) {
            throw new IllegalArgumentException("resumeFor must be a week at most, not " + duration);
        }
        resumeFor = duration;
        return this;
    }

    /**
     * How long a call is held open in a host that knows no tasks. After that, a result names the task, and the model
     * goes on with {@code task_wait}. The default is the time that the host is known to wait, else that of
     * {@link McpServerBuilder#plainHosts}, 45 s.
     */
    public LongRunning hold(Duration duration) {
        hold = positive(duration, "hold");
        return this;
    }

    /**
     * What happens to a task whose host gives up the call because the call takes too long; by default, the task goes
     * on.
     */
    public LongRunning whenAbandoned(WhenAbandoned what) {
        whenAbandoned = what;
        return this;
    }

    /** Names that the tool had before: the server takes up their unfinished tasks. Clients cannot call them. */
    public LongRunning formerly(String... names) {
        formerly.addAll(List.of(names));
        return this;
    }

    /**
     * What a repeated call means, from a host that knows no tasks and has not received the result of the first call; by
     * default, it joins the task of the first.
     */
    public LongRunning whenRepeated(WhenRepeated what) {
        whenRepeated = what;
        return this;
    }

    /**
     * A question to be answered before the work begins; {@link TaskContext#elicitedFirst} gives the handler the answer.
     */
    public LongRunning elicitFirst(String key, String message, Class<?> form) {
        return elicitFirst(key, message, Schemas.of(form));
    }

    /** @param schema JSON Schema of the form, a flat object, as text */
    public LongRunning elicitFirst(String key, String message, String schema) {
        elicitFirst.add(new ElicitRequest(key, message, schema));
        return this;
    }

    /**
     * Declares that the work may ask a question first, which only the work knows. A caller that is asked in rounds of
     * its call (2026-07-28) gets a response as soon as the work has asked or reported something, within two seconds. A
     * question that comes first is then a round of the call, and the caller gets its task after that round.
     */
    public LongRunning mayAskFirst() {
        mayAskFirst = true;
        return this;
    }

    /**
     * Accepts the answer to a question of the work also as an argument, named by the key of the question. A caller that
     * can neither be asked nor have a task sees that argument in the list of tools, and must give it; all other callers
     * see the tool without the argument. A call with the argument is not asked: {@link TaskContext#elicitedFirst} and
     * the {@code elicit} methods give the answer at once, and a backend finds the answer in the arguments.
     *
     * @param question the question with its key, as the work or {@link #elicitFirst} asks it
     * @throws IllegalArgumentException where the question has no key
     */
    public LongRunning elicitAsArgument(ElicitRequest question) {
        if (question.key() == null) {
            throw new IllegalArgumentException("a question that can be an argument needs a key, which names it");
        }
        elicitAsArgument.add(question);
        return this;
    }

    private static Duration positive(Duration duration, String what) {
        Require.that(duration.isPositive(), what + " must be positive, not " + duration);
        return duration;
    }
}

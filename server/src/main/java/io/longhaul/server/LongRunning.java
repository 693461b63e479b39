// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.receiver.Rounds;
import io.longhaul.server.internal.schema.Schemas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the calls of a long-running tool are kept and run. Not thread-safe. */
public final class LongRunning {

    @Nullable
    Duration keep;

    @Nullable
    CrashPolicy crashPolicy;

    @Nullable
    Duration timeout;

    @Nullable
    String immediate;

    @Nullable
    Duration resumeWait;

    @Nullable
    Duration resumeFor;

    @Nullable
    Duration hold;

    WhenAbandoned whenAbandoned = WhenAbandoned.KEEP;
    WhenRepeated whenRepeated = WhenRepeated.JOIN;
    boolean resumeAlways;
    int concurrency = Integer.MAX_VALUE;
    boolean taskOnly;
    boolean mayAskFirst;
    final List<ElicitRequest> elicitFirst = new ArrayList<>();
    final List<ElicitRequest> elicitAsArgument = new ArrayList<>();

    LongRunning() {}

    /**
     * How long a finished task is kept after its end where its caller does not say: to the letter. A server refuses a
     * tool with more than its {@link io.longhaul.engine.TaskLimits#longestRetention()} when it starts.
     */
    public LongRunning keepFor(Duration duration) {
        keep = positive(duration, "keepFor");
        return this;
    }

    /** What becomes of its tasks when the server dies; {@code FAIL} for handlers, {@code REATTACH} for backends. */
    public LongRunning onCrash(CrashPolicy policy) {
        crashPolicy = policy;
        return this;
    }

    /** How long one task may run in all. */
    public LongRunning timeout(Duration duration) {
        timeout = positive(duration, "timeout");
        return this;
    }

    /** How many of its tasks run at once; the others wait. */
    public LongRunning concurrency(int tasks) {
        if (tasks < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1, not " + tasks);
        }
        concurrency = tasks;
        return this;
    }

    /**
     * Refuses callers that cannot take a task for an answer. That closes the tool to plain clients, which most hosts
     * are: clients of 2025-06-18 and older do not even see it listed, and newer ones that ask for no task get an error.
     * Without this, a plain call waits for the outcome of the same durable task, and is handed over to the model where
     * that takes longer than its host waits.
     */
    public LongRunning taskOnly() {
        taskOnly = true;
        return this;
    }

    /**
     * What a model may be told while the task runs; {@link ToolDefinition#immediateResult} computes it from the
     * arguments.
     */
    public LongRunning immediateResponse(String text) {
        immediate = text;
        return this;
    }

    /**
     * Answers every caller part by part, with resume tokens, also a caller that did not announce that it knows of them.
     * A caller that asks for a task gets a task. The first result is the
     * {@linkplain #immediateResponse immediate response}, or else the first {@linkplain TaskContext#partial piece} of
     * output. A caller that ignores the token gets nothing more.
     */
    public LongRunning resumeAlways() {
        resumeAlways = true;
        return this;
    }

    /**
     * How long a resumed call waits for the next part where there is none yet; zero for not at all. Unsaid: as
     * {@link McpServerBuilder#rounds} says, 10 s.
     */
    public LongRunning resumeWait(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("resumeWait must not be negative, but is " + duration);
        }
        resumeWait = duration;
        return this;
    }

    /**
     * How long a resume token is good for, a week at most. Unsaid: as {@link McpServerBuilder#rounds} says, a week. A
     * task is kept as long, and must be where {@link #keepFor} is said, too.
     */
    public LongRunning resumeFor(Duration duration) {
        if (positive(duration, "resumeFor").compareTo(Rounds.LONGEST_LIFE) > 0) {
            throw new IllegalArgumentException("resumeFor must be a week at most, not " + duration);
        }
        resumeFor = duration;
        return this;
    }

    /**
     * How long a call is held open in a host that knows no tasks: after that, a result names the task, and the model
     * goes on with {@code task_wait}. Unsaid: as long as the host is known to wait, else as
     * {@link McpServerBuilder#plainHosts} says, 45 s.
     */
    public LongRunning hold(Duration duration) {
        hold = positive(duration, "hold");
        return this;
    }

    /** What becomes of a task whose host gives up the call because it takes too long; unsaid, the task goes on. */
    public LongRunning whenAbandoned(WhenAbandoned what) {
        whenAbandoned = what;
        return this;
    }

    /**
     * What the same call means again, from a host that knows no tasks and has not received the result of the first one;
     * unsaid, the task of the first one.
     */
    public LongRunning whenRepeated(WhenRepeated what) {
        whenRepeated = what;
        return this;
    }

    /** A question to be answered before the work begins; the handler gets it by {@link TaskContext#elicitedFirst}. */
    public LongRunning elicitFirst(String key, String message, Class<?> form) {
        return elicitFirst(key, message, Schemas.of(form));
    }

    /** @param schema JSON Schema of what is to be filled in: a flat object, as text */
    public LongRunning elicitFirst(String key, String message, String schema) {
        elicitFirst.add(new ElicitRequest(key, message, schema));
        return this;
    }

    /**
     * Says that the work may ask before it begins, by what only the work knows. A caller that is asked in rounds of its
     * call (2026-07-28) is answered as soon as the work has asked or told something, within two seconds: a question
     * that comes first is a round of the call, and the caller has its task behind it.
     */
    public LongRunning mayAskFirst() {
        mayAskFirst = true;
        return this;
    }

    /**
     * Takes the answer to a question of the work as an argument too, which has the name of its key. A caller that can
     * neither be asked nor have a task is listed that argument, and must give it; all others see the tool without it.
     * A call that has it is not asked: {@link TaskContext#elicitedFirst} and the {@code elicit} methods give the answer
     * at once, and a backend finds it in the arguments.
     *
     * @param question with a key, as the work asks it or as {@link #elicitFirst} has it
     * @throws IllegalArgumentException where it has no key
     */
    public LongRunning elicitAsArgument(ElicitRequest question) {
        if (question.key() == null) {
            throw new IllegalArgumentException("a question that can be an argument needs a key, which names it");
        }
        elicitAsArgument.add(question);
        return this;
    }

    private static Duration positive(Duration duration, String what) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, not " + duration);
        }
        return duration;
    }
}

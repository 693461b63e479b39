package io.longhaul.server;

import io.longhaul.engine.task.CrashPolicy;
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

    int concurrency = Integer.MAX_VALUE;
    boolean taskOnly;
    final List<Question> first = new ArrayList<>();

    LongRunning() {}

    /** How long a finished task is kept after its end where its caller does not say. */
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

    /** Refuses callers that cannot take a task for an answer. */
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

    /** A question to be answered before the work begins; the handler gets it by {@link TaskContext#first}. */
    public LongRunning askFirst(String key, String message, Class<?> form) {
        return askFirst(key, message, Schemas.of(form));
    }

    /** @param schema JSON Schema of what is to be filled in: a flat object, as text */
    public LongRunning askFirst(String key, String message, String schema) {
        first.add(new Question(key, message, schema));
        return this;
    }

    private static Duration positive(Duration duration, String what) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, not " + duration);
        }
        return duration;
    }
}

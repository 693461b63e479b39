// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import io.longhaul.engine.TaskStatistics.OfWork;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerObserver;
import io.longhaul.receiver.task.TaskViews;
import io.longhaul.server.ServerStatistics;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Figures of a server for the last 15 minutes: one sample every two seconds; the last 450 samples are kept in memory.
 * Thread-safe.
 */
final class Figures implements ServerObserver {

    private static final int KEPT = 450;

    private final Guard lock = new Guard();
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();
    private final LongAdder created = new LongAdder();
    private final LongAdder completed = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder cancelled = new LongAdder();
    private final LongAdder declined = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final CallDurations tasks = new CallDurations();
    private final CallDurations calls = new CallDurations();
    private long last;

    /** A sample as JSON, with its number. */
    private record Sample(long number, Json json) {}

    /** Counts a committed change of a task. */
    void changed(@Nullable Task before, Task after) {
        if (before == null) {
            created.increment();
        }
        var ending = after.ending();
        if (ending != null && (before == null || before.ending() == null)) {
            ended(ending.outcome()).increment();
            tasks.add(Duration.between(after.spec().createdAt(), ending.at()));
        }
    }

    private LongAdder ended(Outcome outcome) {
        return switch (TaskViews.countedAs(outcome)) {
            case DECLINED -> declined;
            case COMPLETED -> completed;
            case CANCELLED -> cancelled;
            default -> failed;
        };
    }

    /** Counts calls without a task, and refusals; tasks are counted at their commits. */
    @Override
    public void on(ServerEvent event) {
        switch (event) {
            case ServerEvent.CallEnded ended when ended.task() == null -> calls.add(ended.took());
            case ServerEvent.Refused refusal -> refused.increment();
            case ServerEvent.AccessDenied denied -> refused.increment();
            default -> {}
        }
    }

    /** Takes one more sample. */
    void sample(ServerStatistics now) {
        var taken = json(now);
        lock.run(() -> {
            last++;
            samples.add(new Sample(last, taken));
            if (samples.size() > KEPT) {
                samples.remove();
            }
        });
    }

    private Json json(ServerStatistics now) {
        var works = now.tasks().works();
        var out = new JsonWriter(512).beginObject();
        out.name("at").number(now.at().toEpochMilli());
        out.name("created").number(created.sumThenReset());
        out.name("completed").number(completed.sumThenReset());
        out.name("failed").number(failed.sumThenReset());
        out.name("cancelled").number(cancelled.sumThenReset());
        out.name("declined").number(declined.sumThenReset());
        out.name("refused").number(refused.sumThenReset());
        durations("task", tasks.read(), out);
        durations("call", calls.read(), out);
        for (var state : TaskState.values()) {
            if (!state.isTerminal()) {
                out.name(word(state)).number(standing(works, state));
            }
        }
        out.name("questions").number(works.stream().mapToInt(OfWork::questions).sum());
        out.name("queue").number(works.stream().mapToInt(OfWork::queue).sum());
        out.name("slots").number(now.tasks().slots());
        out.name("slotsTaken").number(now.tasks().slotsTaken());
        out.name("sessions").number(now.sessions());
        out.name("connections").number(now.open().connections());
        out.name("streams").number(now.open().streams());
        out.name("tools").beginArray();
        works.forEach(work -> tool(work, out));
        out.endArray().name("upstreams").beginArray();
        now.upstreams().forEach(upstream -> out.raw(upstream.toJson()));
        return out.endArray().endObject().toJson();
    }

    private static void durations(String of, CallDurations.Reading read, JsonWriter out) {
        out.name(of + "s").number(read.count());
        if (read.count() > 0) {
            out.name(of + "Median").number(Math.round(read.median() * 1e3) / 1e3);
            out.name(of + "Most").number(Math.round(read.most() * 1e3) / 1e3);
        }
    }

    private static void tool(OfWork work, JsonWriter out) {
        out.beginObject().name("tool").string(work.work());
        work.states().forEach((state, standing) -> {
            if (!state.isTerminal()) {
                out.name(word(state)).number(standing.tasks());
            }
        });
        out.name("questions").number(work.questions());
        out.name("queue").number(work.queue()).endObject();
    }

    private static long standing(List<OfWork> works, TaskState state) {
        return works.stream()
                .flatMap(work -> work.states().entrySet().stream())
                .filter(entry -> entry.getKey() == state)
                .mapToInt(entry -> entry.getValue().tasks())
                .sum();
    }

    private static String word(TaskState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The samples after a number.
     *
     * @param last  the number of the newest sample
     * @param after the samples after the requested number, oldest first
     */
    record Samples(long last, List<Json> after) {}

    Samples after(long number) {
        return lock.get(() -> {
            var newer = samples.stream().filter(sample -> sample.number() > number);
            return new Samples(last, newer.map(Sample::json).toList());
        });
    }
}

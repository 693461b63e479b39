// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.receiver.observe.CallStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts the creations, attempts and ends of tasks in committed changes. Thread-safe. */
final class TaskMeters {
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofDays(1);

    private final MeterRegistry registry;
    private final Consumer<String> appeared;
    private final Map<String, OfTool> tools = new ConcurrentHashMap<>();

    private record OfTool(Counter created, Counter attempts, Map<String, Timer> ended) {}

    /** @param appeared gets the name of each tool when the tool is first seen */
    TaskMeters(MeterRegistry registry, Consumer<String> appeared) {
        this.registry = registry;
        this.appeared = appeared;
    }

    void changed(@Nullable Task before, Task after) {
        var tool = tool(after.spec().work());
        if (before == null) {
            tool.created().increment();
        }
        int started = after.execution().attempts().started()
                - (before == null ? 0 : before.execution().attempts().started());
        if (started > 0) {
            tool.attempts().increment(started);
        }
        var ending = after.ending();
        if (ending != null && (before == null || before.ending() == null)) {
            ended(tool, after, ending);
        }
    }

    /** Registers the meters of a tool before its first task. */
    void offer(String name) {
        tool(name);
    }

    private void ended(OfTool tool, Task task, Ending ending) {
        tool.ended()
                .computeIfAbsent(
                        outcome(task, ending), outcome -> duration(task.spec().work(), outcome))
                .record(Duration.between(task.spec().createdAt(), ending.at()));
    }

    private Timer duration(String tool, String outcome) {
        return Timer.builder(Names.TASK_DURATION)
                .description("Time from the creation of a task to its end, by how it ended")
                .tag(Names.TOOL, tool)
                .tag("outcome", outcome)
                .serviceLevelObjectives(Names.buckets(SHORTEST, LONGEST))
                .register(registry);
    }

    /** The outcome of a task: the reason of a failure, else the outcome of the task's call. */
    private static String outcome(Task task, Ending ending) {
        return word(ending.outcome() instanceof Outcome.Failed failed ? failed.reason() : CallStatus.of(task));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private OfTool tool(String name) {
        var known = tools.get(name);
        if (known != null) {
            return known;
        }
        var made = tools.computeIfAbsent(
                name,
                tool -> new OfTool(
                        counter(Names.TASK_CREATIONS, "Tasks that were created", tool),
                        counter(Names.TASK_ATTEMPTS, "Starts of the work of tasks, also after a restart", tool),
                        new ConcurrentHashMap<>()));
        appeared.accept(name);
        return made;
    }

    private Counter counter(String name, String description, String tool) {
        return Counter.builder(name)
                .description(description)
                .tag(Names.TOOL, tool)
                .register(registry);
    }
}

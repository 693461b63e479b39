// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The activity in the minute before a read of the tasks.
 *
 * @param created the number of created tasks
 * @param ended   the number of ended tasks, in any way
 * @param failed  the number of these that failed
 * @param median  the median time from creation to end of the ended tasks, or null where none has ended
 * @param ends    the number of tasks that ended in each {@link #STEP} of that minute, oldest first
 */
public record Activity(
        long created, long ended, long failed, @Nullable Duration median, List<Long> ends) {

    public static final Duration WINDOW = Duration.ofMinutes(1);
    private static final Duration STEP = Duration.ofSeconds(5);

    static Activity of(TaskSnapshot snapshot) {
        var since = snapshot.at().minus(WINDOW);
        var ended = snapshot.tasks().stream()
                .filter(task -> TaskSnapshot.isEnded(task) && changed(task).isAfter(since))
                .toList();
        var steps = new Long[(int) WINDOW.dividedBy(STEP)];
        Arrays.fill(steps, 0L);
        for (var task : ended) {
            var step = Duration.between(since, changed(task)).dividedBy(STEP);
            steps[Math.clamp(step, 0, steps.length - 1)]++;
        }
        var took = ended.stream().map(Activity::took).sorted().toList();
        return new Activity(
                snapshot.tasks().stream()
                        .filter(task -> task.task().times().createdAt().isAfter(since))
                        .count(),
                ended.size(),
                ended.stream().filter(Activity::hasFailed).count(),
                took.isEmpty() ? null : took.get(took.size() / 2),
                List.of(steps));
    }

    /** The time from the creation of an ended task to its end. */
    static Duration took(TaskRecord task) {
        return Duration.between(task.task().times().createdAt(), changed(task));
    }

    static boolean hasFailed(TaskRecord task) {
        return task.task().status().state() == State.FAILED
                || task.task().status().state() != State.DECLINED
                        && task.task().end() instanceof End.Result(var result, boolean isError)
                        && isError;
    }

    private static Instant changed(TaskRecord task) {
        return task.task().times().updatedAt();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.question.QuestionKinds;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Tasks as their requestors may see them. */
public record TaskViews(TaskEngine engine) {

    private static final long SHORTEST_POLL = 1_000;
    private static final long LONGEST_POLL = 10_000;
    private static final int LOOKS = 60;

    public static TaskViews of(Context context) {
        return new TaskViews(context.engine());
    }

    /** A task under its own id. */
    public TaskView of(Task task) {
        return of(task, task.id().value());
    }

    /** @param id the name by which the requestor knows the task */
    public TaskView of(Task task, String id) {
        Instant now = engine.time().now();
        Instant created = task.spec().createdAt();
        TaskId parent = task.spec().parent();
        return new TaskView(
                id,
                new TaskView.Status(
                        TaskView.State.valueOf(task.state().name()),
                        task.status().message(),
                        progress(task.status().progress()),
                        TaskResources.of(task),
                        parent == null ? null : parent.value()),
                new TaskView.Times(created, changedAt(task), ttl(task, now), keepAlive(task)),
                poll(Duration.between(created, now)),
                QuestionKinds.of(task.outstanding()),
                end(task.ending()));
    }

    public static @Nullable ProgressView progress(@Nullable Progress progress) {
        return progress == null ? null : new ProgressView(progress.current(), progress.total(), progress.message());
    }

    /**
     * How long the task is kept from its creation: before its end the least time, or null where the time counts from
     * the end. Null while a session has joined the task.
     */
    private @Nullable Duration ttl(Task task, Instant now) {
        Instant created = task.spec().createdAt();
        Instant expiry = task.expiry();
        if (expiry != null) {
            return Duration.between(created, expiry);
        }
        Retention retention = task.status().retention();
        if (retention.basis() != Retention.Basis.CREATION) {
            return null;
        }
        return longer(retention.duration(), shortest(retention.afterEnd(), Duration.between(created, now)));
    }

    /** The time if the task ended now; in steps, so that the value does not change with every poll. */
    private static Duration shortest(Duration afterEnd, Duration age) {
        boolean first = afterEnd.isZero() || age.compareTo(afterEnd) < 0;
        return first ? afterEnd : afterEnd.multipliedBy(age.dividedBy(afterEnd) + 1);
    }

    /**
     * How long the task is kept after its end; null before the end, unless the time counts from the end. Null while a
     * session has joined the task.
     */
    private @Nullable Duration keepAlive(Task task) {
        Ending ending = task.ending();
        Instant expiry = task.expiry();
        if (ending != null && expiry != null) {
            return Duration.between(ending.at(), expiry);
        }
        Retention retention = task.status().retention();
        if (retention.basis() != Retention.Basis.COMPLETION) {
            return null;
        }
        return longer(retention.duration(), retention.afterEnd());
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** The suggested poll interval, which grows with the age of the task. */
    private static Duration poll(Duration age) {
        return Duration.ofMillis(Math.clamp(age.toMillis() / LOOKS, SHORTEST_POLL, LONGEST_POLL));
    }

    private static @Nullable End end(@Nullable Ending ending) {
        if (ending == null) {
            return null;
        }
        return switch (ending.outcome()) {
            case Outcome.Result result ->
                new End.Result(KeptContents.given(Json.raw(result.body().bytes())), result.isError());
            case Outcome.Error error ->
                new End.Failure(new RpcError(error.code(), error.message(), data(error.data())));
            case Outcome.Cancelled cancelled -> new End.Cancelled(cancelled.reason());
            case Outcome.Failed failed -> new End.Broken(failed.message());
        };
    }

    /** The end of a task by an error of JSON-RPC. */
    public static Outcome.Error error(RpcError error) {
        Json data = error.data();
        return new Outcome.Error(error.code(), error.message(), data == null ? null : Payload.of(data.bytes()));
    }

    /**
     * Whether a task ended because a person declined. The result says so, for clients of every generation too
     * ({@link Meta#DECLINED}).
     */
    public static boolean isDeclined(@Nullable Outcome outcome) {
        if (!(outcome instanceof Outcome.Result result) || !result.isError()) {
            return false;
        }
        var meta = JsonReader.members(Json.raw(result.body().bytes())).object(Meta.META);
        Json declined = meta.get(Meta.DECLINED);
        return declined != null && declined.toString().equals("true");
    }

    /** The state in which a person counts a task with this outcome: an error of its tool is a failure. */
    public static TaskView.State countedAs(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Result result when isDeclined(result) -> TaskView.State.DECLINED;
            case Outcome.Result result -> result.isError() ? TaskView.State.FAILED : TaskView.State.COMPLETED;
            case Outcome.Cancelled cancelled -> TaskView.State.CANCELLED;
            case Outcome.Error error -> TaskView.State.FAILED;
            case Outcome.Failed failed -> TaskView.State.FAILED;
        };
    }

    private static @Nullable Json data(@Nullable Payload data) {
        return data == null ? null : Json.raw(data.bytes());
    }

    /** The time of the last change that the requestor sees. After the end, the stop of the work is none. */
    private static Instant changedAt(Task task) {
        Ending ending = task.ending();
        return ending == null ? task.position().updatedAt() : ending.at();
    }
}

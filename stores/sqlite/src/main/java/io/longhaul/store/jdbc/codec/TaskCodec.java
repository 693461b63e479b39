// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.codec;

import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Execution;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Source;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskPosition;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.task.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes and reads the parts of a task that have no columns of their own. */
public final class TaskCodec {
    private static final int SPEC_FORM = 1;
    private static final int BODY_FORM = 1;

    private static final List<TaskState> STATES = List.of(
            TaskState.SUBMITTED,
            TaskState.WORKING,
            TaskState.INPUT_REQUIRED,
            TaskState.COMPLETED,
            TaskState.FAILED,
            TaskState.CANCELLED);
    private static final List<Retention.Basis> BASES =
            List.of(Retention.Basis.CREATION, Retention.Basis.COMPLETION, Retention.Basis.LEAVING);

    /** The data that {@link #writeBody} writes. */
    public record Body(
            TaskStatus status, Attempts attempts, @Nullable Payload handle, TaskPosition position) {
        public Execution execution(@Nullable Lease lease) {
            return new Execution(lease, attempts, handle);
        }
    }

    /** The parts of a specification that have columns of their own. */
    public record Columns(
            Owner owner,
            @Nullable String creationKey,
            @Nullable Route route) {}

    private TaskCodec() {}

    public static byte[] writeSpec(TaskSpec spec) {
        var out = new ByteWriter().octet(SPEC_FORM).instant(spec.createdAt()).text(spec.work());
        var key = spec.creationKey();
        out.textOrNull(key == null ? null : key.digest());
        LargeParts.write(out, LargeParts.REQUEST, spec.request());
        LargeParts.write(out, LargeParts.ORIGIN, spec.origin());
        return out.bytes();
    }

    public static TaskSpec readSpec(byte[] bytes, Columns columns, PartSource parts) {
        var in = new ByteReader(bytes);
        in.form(SPEC_FORM);
        var createdAt = in.instant();
        var work = in.text();
        var digest = in.textOrNull();
        var request = LargeParts.read(in, parts);
        var origin = LargeParts.read(in, parts);
        var creationKey = columns.creationKey();
        var key = creationKey == null || digest == null ? null : new CreationKey(creationKey, digest);
        return new TaskSpec(columns.owner(), work, request, new Source(origin, columns.route()), key, createdAt);
    }

    /** Reads only the name of the work from a specification. */
    public static String workOf(byte[] spec) {
        var in = new ByteReader(spec);
        in.form(SPEC_FORM);
        in.instant();
        return in.text();
    }

    public static byte[] writeBody(Task task) {
        var status = task.status();
        var out =
                new ByteWriter().octet(BODY_FORM).oneOf(STATES, status.state()).textOrNull(status.message());
        var progress = status.progress();
        out.flag(progress != null);
        if (progress != null) {
            ProgressCodec.write(out, progress);
        }
        var retention = status.retention();
        out.oneOf(BASES, retention.basis()).duration(retention.duration()).duration(retention.afterEnd());
        var attempts = task.execution().attempts();
        out.number(attempts.started()).number(attempts.crashes());
        LargeParts.write(out, LargeParts.HANDLE, task.execution().handle());
        writeEnding(out, task.ending());
        out.number(status.inputs().size());
        status.inputs().forEach(input -> writeInput(out, input));
        out.number(task.position().lastOutput()).number(task.position().lastLog());
        writeFailures(out, attempts);
        return out.bytes();
    }

    /** Behind all else, and only where an attempt has failed: an older server reads the rest of the task. */
    private static void writeFailures(ByteWriter out, Attempts attempts) {
        if (attempts.failed() > 0) {
            out.number(attempts.failed()).flag(attempts.retryAt() != null);
            if (attempts.retryAt() != null) {
                out.instant(attempts.retryAt());
            }
        }
    }

    private static Attempts readFailures(ByteReader in, Attempts attempts) {
        return in.isAtEnd()
                ? attempts
                : new Attempts(attempts.started(), attempts.crashes(), in.count(), in.flag() ? in.instant() : null);
    }

    /** @param columns the parts of the position that have columns of their own */
    public static Body readBody(byte[] bytes, TaskPosition columns, PartSource parts) {
        var in = new ByteReader(bytes);
        in.form(BODY_FORM);
        var state = in.oneOf(STATES);
        var message = in.textOrNull();
        var progress = in.flag() ? ProgressCodec.read(in) : null;
        var retention = new Retention(in.oneOf(BASES), in.duration(), in.duration());
        var attempts = new Attempts(in.count(), in.count());
        var handle = LargeParts.readOrNull(in, parts);
        var ending = readEnding(in, parts);
        var inputs = readInputs(in, parts);
        var position =
                new TaskPosition(columns.version(), columns.lastEvent(), in.number(), in.number(), columns.updatedAt());
        return new Body(
                new TaskStatus(state, message, progress, inputs, ending, retention),
                readFailures(in, attempts),
                handle,
                position);
    }

    /** Reads only the state from a body. */
    public static TaskState stateOf(byte[] body) {
        var in = new ByteReader(body);
        in.form(BODY_FORM);
        return in.oneOf(STATES);
    }

    static Payload payload(ByteReader in) {
        return Payload.of(in.block());
    }

    private static void writeEnding(ByteWriter out, @Nullable Ending ending) {
        out.flag(ending != null);
        if (ending != null) {
            out.instant(ending.at()).flag(ending.workEnded());
            OutcomeCodec.write(out, ending.outcome(), true);
        }
    }

    private static @Nullable Ending readEnding(ByteReader in, PartSource parts) {
        if (!in.flag()) {
            return null;
        }
        var at = in.instant();
        var workEnded = in.flag();
        return new Ending(OutcomeCodec.read(in, parts), at, workEnded);
    }

    private static void writeInput(ByteWriter out, InputRequest input) {
        out.text(input.key()).text(input.method()).instant(input.askedAt()).instant(input.deadline());
        LargeParts.write(out, LargeParts.QUESTION + input.key(), input.params());
        LargeParts.write(out, LargeParts.ANSWER + input.key(), input.answer());
    }

    private static List<InputRequest> readInputs(ByteReader in, PartSource parts) {
        var count = in.count();
        var inputs = new ArrayList<InputRequest>();
        for (var i = 0; i < count; i++) {
            var key = in.text();
            var method = in.text();
            var askedAt = in.instant();
            var deadline = in.instant();
            var params = LargeParts.read(in, parts);
            inputs.add(new InputRequest(key, method, params, askedAt, deadline, LargeParts.readOrNull(in, parts)));
        }
        return inputs;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import io.longhaul.engine.run.UnrecordedRun;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A run that remembers what its backend tells. Where its handle is kept, a test says. Thread-safe. */
public abstract class RememberingRun extends UnrecordedRun {

    public final List<Progress> progress = new CopyOnWriteArrayList<>();
    public final List<String> messages = new CopyOnWriteArrayList<>();
    public final List<String> logs = new CopyOnWriteArrayList<>();

    private final TaskId id;
    private final Payload arguments;

    protected RememberingRun(TaskId id, Payload arguments) {
        this.id = id;
        this.arguments = arguments;
    }

    @Override
    public TaskId id() {
        return id;
    }

    @Override
    public TaskSpec spec() {
        return new TaskSpec(Owner.LOCAL, "job", arguments, Payload.EMPTY, null, Instant.EPOCH);
    }

    @Override
    public void progress(Progress report) {
        progress.add(report);
    }

    @Override
    public void status(String message) {
        messages.add(message);
    }

    @Override
    public void log(String level, @Nullable String logger, Payload data) {
        logs.add(data.text());
    }
}

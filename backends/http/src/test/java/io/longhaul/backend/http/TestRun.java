// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.run.UnrecordedRun;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A run that remembers what it is told. */
final class TestRun extends UnrecordedRun {

    final List<Progress> progress = new CopyOnWriteArrayList<>();
    final List<String> messages = new CopyOnWriteArrayList<>();
    final List<String> logs = new CopyOnWriteArrayList<>();

    private final TaskId id;
    private final String arguments;
    private volatile @Nullable Payload handle;

    TestRun(String arguments) {
        this(TaskId.of(1, 2, 3), arguments);
    }

    TestRun(TaskId id, String arguments) {
        this.id = id;
        this.arguments = arguments;
    }

    @Override
    public TaskId id() {
        return id;
    }

    @Override
    public TaskSpec spec() {
        return new TaskSpec(Owner.LOCAL, "job", Payload.ofText(arguments), Payload.EMPTY, null, Instant.EPOCH);
    }

    @Override
    public boolean isStopping() {
        return false;
    }

    @Override
    public boolean isHandingBack() {
        return false;
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

    @Override
    public void partial(Payload output) {}

    @Override
    public int partialCount() {
        return 0;
    }

    @Override
    public Optional<Payload> handle() {
        return Optional.ofNullable(handle);
    }

    @Override
    public void saveHandle(Payload saved) {
        handle = saved;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A run that remembers what it is told, and its handle. Thread-safe. */
public class RunInMemory extends RememberingRun {

    public final List<String> pieces = new CopyOnWriteArrayList<>();

    /** Whether the work is told to stop; a test sets it. */
    public volatile boolean stopping;

    private volatile @Nullable Payload handle;

    public RunInMemory(String arguments) {
        this(TaskId.of(1, 2, 3), arguments);
    }

    public RunInMemory(TaskId id, String arguments) {
        super(id, Payload.ofText(arguments));
    }

    @Override
    public boolean isStopping() {
        return stopping;
    }

    @Override
    public boolean isHandingBack() {
        return false;
    }

    @Override
    public void partial(Payload output) {
        pieces.add(output.text());
    }

    @Override
    public int partialCount() {
        return pieces.size();
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

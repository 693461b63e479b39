// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import io.longhaul.testkit.RememberingRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A run that remembers all it is told, and keeps its handle in a file, where another JVM finds it. */
class RecordingRun extends RememberingRun {

    final List<Payload> emitted = new CopyOnWriteArrayList<>();
    final StringBuffer written = new StringBuffer();
    volatile boolean stopping;
    private volatile @Nullable String mark;
    private final CountDownLatch waitedFor = new CountDownLatch(1);
    private final Predicate<String> awaited;
    private final Path handle;

    RecordingRun(TaskId id, Path handle) {
        this(id, handle, message -> false);
    }

    /** @param awaited the status message that {@link #awaitMessage} waits for */
    RecordingRun(TaskId id, Path handle, Predicate<String> awaited) {
        super(id, Payload.EMPTY);
        this.handle = handle;
        this.awaited = awaited;
    }

    void awaitMessage() throws InterruptedException {
        if (!waitedFor.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("no such message; there were " + messages);
        }
    }

    Path handlePath() {
        return handle;
    }

    List<String> emittedTexts() {
        return emitted.stream().map(Payload::text).toList();
    }

    @Override
    public boolean isStopping() {
        return stopping;
    }

    @Override
    public boolean isHandingBack() {
        return stopping;
    }

    @Override
    public void status(String message) {
        super.status(message);
        if (awaited.test(message)) {
            waitedFor.countDown();
        }
    }

    @Override
    public void partial(Payload output) {
        emitted.add(output);
    }

    @Override
    public int partialCount() {
        return emitted.size();
    }

    @Override
    public void write(String text, String newMark) {
        written.append(text);
        mark = newMark;
    }

    @Override
    public Optional<String> writtenTo() {
        return Optional.ofNullable(mark);
    }

    /** This run goes on where another one has written to. */
    RecordingRun after(RecordingRun other) {
        mark = other.mark;
        return this;
    }

    @Override
    public Optional<Payload> handle() {
        try {
            return Files.exists(handle) ? Optional.of(Payload.of(Files.readAllBytes(handle))) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void saveHandle(Payload saved) {
        try {
            var whole = Files.write(handle.resolveSibling(handle.getFileName() + ".new"), saved.bytes());
            Files.move(whole, handle, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

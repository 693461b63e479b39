// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells of each change of a file. An editor writes a file in several steps, or renames another one to its name, so that
 * a change is told when two looks in a row have found the same file. For one thread.
 */
final class FileWatch {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(300);

    private final Path file;
    private Optional<State> told;
    private Optional<State> seen;

    /** What shows that a file is another one. */
    private record State(FileTime time, long size, @Nullable Object key) {}

    /** Tells of changes from now on. */
    FileWatch(Path file) {
        this.file = file;
        told = state();
        seen = told;
    }

    /** Looks at the file again and again on a thread of its own, until the executor is closed. */
    ScheduledExecutorService begin(Runnable changed) {
        var timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("watch-file").factory());
        long millis = BETWEEN_LOOKS.toMillis();
        timer.scheduleWithFixedDelay(() -> look(changed), millis, millis, TimeUnit.MILLISECONDS);
        return timer;
    }

    /** Looks at the file once. */
    void look(Runnable changed) {
        var now = state();
        if (now.isPresent() && now.equals(seen) && !now.equals(told)) {
            told = now;
            changed.run();
        }
        seen = now;
    }

    /** Empty where there is no file, as in the middle of a rename. */
    private Optional<State> state() {
        try {
            var found = Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.of(new State(found.lastModifiedTime(), found.size(), found.fileKey()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}

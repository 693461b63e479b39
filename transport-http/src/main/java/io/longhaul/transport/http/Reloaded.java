// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value that files hold, read again when one of them has changed: certificates are renewed and keys are taken back
 * while a server runs. The files are looked at when the value is asked for, at most every five seconds. Where a changed
 * file cannot be used the value before stays, and the log says so once for each change. Thread-safe.
 *
 * @param <T> immutable
 */
public final class Reloaded<T> implements Supplier<T> {

    /** How far apart two looks at the files are. */
    static final Duration APART = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Reloaded.class);

    private final String what;
    private final List<Path> files;
    private final Supplier<T> reader;
    private final InstantSource clock;
    private final AtomicReference<Instant> looked;
    private List<String> seen;
    private volatile T value;

    /**
     * Reads the files for the first time.
     *
     * @param what   they hold, for the log
     * @param reader gives the value; throws with a sentence that says what is wrong
     * @throws RuntimeException what {@code reader} throws
     */
    public Reloaded(String what, List<Path> files, Supplier<T> reader, InstantSource clock) {
        this.what = what;
        this.files = List.copyOf(files);
        this.reader = reader;
        this.clock = clock;
        looked = new AtomicReference<>(clock.instant());
        seen = marks();
        value = reader.get();
    }

    @Override
    public T get() {
        var now = clock.instant();
        var last = looked.get();
        boolean isDue = now.isBefore(last) || !now.isBefore(last.plus(APART));
        if (isDue && looked.compareAndSet(last, now)) {
            look();
        }
        return value;
    }

    private synchronized void look() {
        // Before the files are read, so that a change meanwhile is seen by the next look.
        var marks = marks();
        if (marks.equals(seen)) {
            return;
        }
        seen = marks;
        try {
            value = reader.get();
            LOG.info("{} read again: a file has changed", what);
        } catch (RuntimeException e) {
            LOG.warn("{} not read again, and what was read before stays: {}", what, e.getMessage());
        }
    }

    private List<String> marks() {
        return files.stream().map(Reloaded::mark).toList();
    }

    /** What differs when a file was written again, or another one was moved into its place. */
    private static String mark(Path file) {
        try {
            var found = Files.readAttributes(file, BasicFileAttributes.class);
            return found.lastModifiedTime() + " " + found.size() + " " + found.fileKey();
        } catch (IOException e) {
            return "none";
        }
    }
}

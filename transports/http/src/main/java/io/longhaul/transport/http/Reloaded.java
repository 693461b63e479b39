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
 * A value that is read from files, and read again after a file has changed: certificates are renewed and keys revoked
 * while a server runs. The files are checked when the value is requested, at most every five seconds. Where a changed
 * file cannot be used, the previous value stays, and the log says so once for each change. Thread-safe.
 *
 * @param <T> an immutable type
 */
public final class Reloaded<T> implements Supplier<T> {

    /** The least time between two checks of the files. */
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
     * @param what   the content of the files, for the log
     * @param reader reads the value; throws with a sentence that says what is wrong
     * @throws RuntimeException the exception of {@code reader}
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
        // The marks are taken before the files are read, so that the next check sees a change meanwhile.
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

    /** A mark of a file that differs after the file was written again or replaced. */
    private static String mark(Path file) {
        try {
            var found = Files.readAttributes(file, BasicFileAttributes.class);
            return found.lastModifiedTime() + " " + found.size() + " " + found.fileKey();
        } catch (IOException e) {
            return "none";
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.FileFields;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.event.Level;

/**
 * What a server records for its operator.
 *
 * @param audit the audit log: which caller did what to which task
 * @param log   the log
 * @param messages the words {@code client}, {@code tool} and {@code task} with what a logged message must have; empty
 *     where messages are not recorded
 */
public record Recording(Audit audit, Log log, Optional<Map<String, String>> messages) {

    /** The names of the levels, for error messages. */
    public static final String LEVELS = "Write error, warn, info, debug or trace";

    /** How the level of a log is written. */
    public static final Binder.Kind<Level> LEVEL = Binder.Kind.ofText("a level", Recording::level, LEVELS);

    private static final String AUDIT = "/audit";
    private static final String LOG = "/log";
    private static final long LEAST_BYTES = 1 << 10;

    public static final Recording DEFAULT = new Recording(
            new Audit(true, Files.of(Optional.empty())),
            new Log(Optional.empty(), false, Files.of(Optional.empty())),
            Optional.empty());

    /**
     * A file that is renamed at a size limit, and the number of renamed files that are kept.
     *
     * @param path  empty for the usual place
     * @param bytes of one file at most
     * @param keep  how many renamed files are kept
     */
    public record Files(
            @Binder.Named("file") Optional<Path> path,
            @Binder.Named("size") long bytes,
            int keep) {
        static final long BYTES = 10L << 20;
        static final int KEPT = 5;

        static Files of(Optional<Path> path) {
            return new Files(path, BYTES, KEPT);
        }

        public Files at(Path other) {
            return new Files(Optional.of(other), bytes, keep);
        }
    }

    /** @param isOn whether the audit log is written */
    public record Audit(boolean isOn, Files files) {}

    /**
     * The log.
     *
     * @param level empty for the usual one
     * @param json  whether each line is a JSON object
     * @param files the files; standard error where they have no path
     */
    public record Log(
            Optional<Level> level,
            @Binder.Named(value = "format", says = "json") boolean json,
            Files files) {}

    /** Reads {@code audit:} and {@code log:} of a file. */
    public static Recording read(Binder in) {
        if (!in.file().has(AUDIT) && !in.file().has(LOG)) {
            return DEFAULT;
        }
        var node = in.file().node(AUDIT);
        boolean isOn = node.isObject() || !node.asString("on").equals("off") && node.asBoolean(true);
        var audit = new Audit(isOn, in.read(AUDIT, "audit", Files.class));
        var log = in.read(LOG, "log", Log.class);
        checkSize(in.file(), AUDIT, audit.files());
        checkSize(in.file(), LOG, log.files());
        return new Recording(audit, log, Optional.empty());
    }

    private static void checkSize(FileFields file, String at, Files files) {
        if (files.bytes() < LEAST_BYTES) {
            file.wrong(at + "/size", "is less than 1KB", "Write one of 1KB or more, such as 10MB");
        }
    }

    /** The level with this name, in any case of letters. */
    public static Optional<Level> level(String word) {
        return Stream.of(Level.values())
                .filter(level -> level.name().equalsIgnoreCase(word))
                .findFirst();
    }
}

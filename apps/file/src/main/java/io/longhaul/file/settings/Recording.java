// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.event.Level;

/**
 * What a server records for its operator.
 *
 * @param audit the audit log: which caller did what to which task
 * @param log   the log
 */
public record Recording(Audit audit, Log log) {

    /** The names of the levels, for error messages. */
    public static final String LEVELS = "Write error, warn, info, debug or trace";

    public static final Recording DEFAULT = new Recording(
            new Audit(true, Files.of(Optional.empty())), new Log(Optional.empty(), false, Files.of(Optional.empty())));

    /**
     * A file that is renamed at a size limit, and the number of renamed files that are kept.
     *
     * @param path  empty for the usual place
     * @param bytes of one file at most
     * @param keep  how many renamed files are kept
     */
    public record Files(Optional<Path> path, long bytes, int keep) {
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
    public record Log(Optional<Level> level, boolean json, Files files) {}

    /** The level with this name, in any case of letters. */
    public static Optional<Level> level(String word) {
        return Stream.of(Level.values())
                .filter(level -> level.name().equalsIgnoreCase(word))
                .findFirst();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.event.Level;

/**
 * What a server writes down for those who run it.
 *
 * @param audit who did what to which task
 * @param log   what happens
 */
public record Recording(Audit audit, Log log) {

    /** What the levels are. */
    public static final String LEVELS = "Write error, warn, info, debug or trace";

    /** As it is where nothing is said. */
    public static final Recording DEFAULT = new Recording(
            new Audit(true, Files.of(Optional.empty())), new Log(Optional.empty(), false, Files.of(Optional.empty())));

    /**
     * A file that is renamed when it has grown, and how many such files are kept.
     *
     * @param path  empty for the usual place
     * @param bytes of one file at most
     * @param keep  how many renamed ones are kept
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

    /** @param isOn whether it is written */
    public record Audit(boolean isOn, Files files) {}

    /**
     * The log.
     *
     * @param level empty for the usual one
     * @param json  whether each line is a JSON object
     * @param files standard error where they have no path
     */
    public record Log(Optional<Level> level, boolean json, Files files) {}

    /** The level of a word, whatever its case. */
    public static Optional<Level> level(String word) {
        return Stream.of(Level.values())
                .filter(level -> level.name().equalsIgnoreCase(word))
                .findFirst();
    }

    /** The same without an audit log. */
    public Recording unaudited() {
        return new Recording(new Audit(false, audit.files()), log);
    }

    /** The same with the audit log in this file. */
    public Recording audited(Path file) {
        return new Recording(new Audit(true, audit.files().at(file)), log);
    }

    public Recording logging(Log other) {
        return new Recording(audit, other);
    }
}

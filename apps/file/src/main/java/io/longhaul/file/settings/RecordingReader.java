// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import io.longhaul.file.settings.Recording.Audit;
import io.longhaul.file.settings.Recording.Files;
import io.longhaul.file.settings.Recording.Log;
import io.longhaul.file.tree.FileFields;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.event.Level;

/** Reads what a server records: {@code audit:} and {@code log:}. */
public final class RecordingReader {
    private static final String AUDIT = "/audit";
    private static final String LOG = "/log";
    private static final long LEAST_BYTES = 1 << 10;

    private final FileFields file;
    private final Path folder;

    private RecordingReader(FileFields file, Path folder) {
        this.file = file;
        this.folder = folder;
    }

    /** @param folder of the file, for relative paths */
    public static Recording read(FileFields file, Path folder) {
        var reader = new RecordingReader(file, folder);
        return new Recording(reader.audit(), reader.log());
    }

    private Audit audit() {
        var usual = Recording.DEFAULT.audit();
        var node = file.node(AUDIT);
        if (node.isObject()) {
            return new Audit(true, files(AUDIT));
        }
        return new Audit(!node.asString("on").equals("off") && node.asBoolean(true), usual.files());
    }

    private Log log() {
        var node = file.node(LOG);
        if (node.isObject()) {
            return new Log(level(LOG + "/level"), "json".equals(file.text(LOG + "/format")), files(LOG));
        }
        var usual = Recording.DEFAULT.log();
        return new Log(level(LOG), usual.json(), usual.files());
    }

    private Optional<Level> level(String at) {
        return Optional.ofNullable(file.parsed(at, "a level", Recording::level, Recording.LEVELS));
    }

    private Files files(String at) {
        var size = file.size(at + "/size");
        var keep = file.number(at + "/keep");
        if (size != null && size < LEAST_BYTES) {
            file.wrong(at + "/size", "is less than 1KB", "Write one of 1KB or more, such as 10MB");
        }
        return new Files(
                Optional.ofNullable(file.text(at + "/file")).map(folder::resolve),
                size == null ? Files.BYTES : size,
                keep == null ? Files.KEPT : keep);
    }
}

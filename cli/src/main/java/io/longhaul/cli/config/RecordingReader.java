package io.longhaul.cli.config;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Reads what a server writes down: {@code audit:} and {@code log:}. */
public final class RecordingReader {

    /** What the levels are. */
    public static final String LEVELS = "Write error, warn, info, debug or trace";

    private static final long LEAST_BYTES = 1 << 10;
    private static final int MOST_KEPT = 1_000;

    private RecordingReader() {}

    /**
     * Reads both.
     *
     * @param audit  the section, or null
     * @param log    likewise
     * @param folder of the file, which paths begin at
     */
    static Recording read(@Nullable Entry audit, @Nullable Entry log, Path folder) {
        var read = Recording.DEFAULT;
        return new Recording(
                audit == null ? read.audit() : audit(audit, folder), log == null ? read.log() : log(log, folder));
    }

    private static Recording.Audit audit(Entry entry, Path folder) {
        if (entry.isScalar()) {
            return switch (entry.text()) {
                case "off", "false" ->
                    new Recording.Audit(false, Recording.DEFAULT.audit().files());
                case "on", "true" -> Recording.DEFAULT.audit();
                default ->
                    throw entry.bad(
                            Entry.quote(entry.text()) + " is no way to audit",
                            "Write off, or the fields file, size and keep");
            };
        }
        return new Recording.Audit(true, files(entry.fields(Set.of("file", "size", "keep")), folder));
    }

    private static Recording.Log log(Entry entry, Path folder) {
        if (entry.isScalar()) {
            return new Recording.Log(
                    Optional.of(level(entry)), false, Recording.DEFAULT.log().files());
        }
        var fields = entry.fields(Set.of("level", "format", "file", "size", "keep"));
        var format = fields.get("format");
        return new Recording.Log(
                Optional.ofNullable(fields.get("level")).map(RecordingReader::level),
                format != null && format(format),
                files(fields, folder));
    }

    private static Level level(Entry entry) {
        return level(entry.text()).orElseThrow(() -> entry.bad(Entry.quote(entry.text()) + " is no level", LEVELS));
    }

    /** The level of a word, whatever its case. */
    public static Optional<Level> level(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "error" -> Optional.of(Level.ERROR);
            case "warn" -> Optional.of(Level.WARN);
            case "info" -> Optional.of(Level.INFO);
            case "debug" -> Optional.of(Level.DEBUG);
            case "trace" -> Optional.of(Level.TRACE);
            default -> Optional.empty();
        };
    }

    private static boolean format(Entry entry) {
        return switch (entry.text()) {
            case "json" -> true;
            case "text" -> false;
            default -> throw entry.bad(Entry.quote(entry.text()) + " is no format", "Write text or json");
        };
    }

    private static Recording.Files files(Map<String, Entry> fields, Path folder) {
        var file = fields.get("file");
        var size = fields.get("size");
        var keep = fields.get("keep");
        return new Recording.Files(
                Optional.ofNullable(file).map(entry -> folder.resolve(entry.text())),
                size == null ? Recording.Files.BYTES : bytes(size),
                keep == null ? Recording.Files.KEPT : kept(keep));
    }

    private static long bytes(Entry entry) {
        var bytes = Sizes.parse(entry.text());
        if (bytes.isEmpty() || bytes.getAsLong() < LEAST_BYTES) {
            throw entry.bad(
                    Entry.quote(entry.text()) + " is no size of a file", "Write one of 1KB or more, such as 10MB");
        }
        return bytes.getAsLong();
    }

    private static int kept(Entry entry) {
        int count = entry.positive();
        if (count > MOST_KEPT) {
            throw entry.bad("is more than " + MOST_KEPT, "Keep fewer files");
        }
        return count;
    }
}

package io.longhaul.receiver;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What tasks have put out so far, as resources that their owners alone can read, for as long as the task is kept. They
 * are in no list.
 */
final class PartialOutput {

    private static final int PAGE = 200;

    /** How much output one page has: the rest is behind a link. A larger piece is a page of its own. */
    private static final int PAGE_BYTES = 1 << 20;

    /** What a content has around its text. */
    private static final int OVERHEAD = 160;

    /**
     * A part of the output of a task.
     *
     * @param after the event behind which it begins, 0 for the whole
     */
    private record Range(TaskId task, long after) {

        private static final Pattern URI = Pattern.compile(
                "longhaul://tasks/(?<task>[^/?]{" + TaskId.LENGTH + "})/output(\\?after=(?<after>[1-9]\\d{0,17}))?");

        static Optional<Range> of(String uri) {
            var found = URI.matcher(uri);
            return found.matches() && TaskId.isWellFormed(found.group("task"))
                    ? Optional.of(new Range(
                            new TaskId(found.group("task")),
                            found.group("after") == null ? 0 : Long.parseLong(found.group("after"))))
                    : Optional.empty();
        }

        String uri() {
            return "longhaul://tasks/" + task + "/output" + (after == 0 ? "" : "?after=" + after);
        }
    }

    private final TaskEngine engine;

    PartialOutput(TaskEngine engine) {
        this.engine = engine;
    }

    static String uri(TaskId task) {
        return new Range(task, 0).uri();
    }

    /**
     * The pieces so far, one content each: as many as one answer can have, and then a link to those behind them. Empty
     * where the URI is of no task of this owner.
     */
    Optional<Json> read(Owner owner, String uri) {
        return Range.of(uri).flatMap(range -> engine.find(owner, range.task()).map(task -> contents(task, range, uri)));
    }

    /** How many pieces a task had put out by its event {@code upTo}. */
    long count(Task task, long upTo) {
        long pieces = 0;
        long after = 0;
        for (var page = history(task, after); !page.isEmpty() && after < upTo; page = history(task, after)) {
            pieces += page.stream()
                    .filter(event -> event.what() instanceof Happening.Emitted && event.seq() <= upTo)
                    .count();
            after = page.getLast().seq();
        }
        return pieces;
    }

    private Json contents(Task task, Range range, String uri) {
        var out = new JsonWriter(1_024).beginArray();
        long after = range.after();
        long bytes = 0;
        for (var page = history(task, after); !page.isEmpty(); page = history(task, after)) {
            for (TaskEvent event : page) {
                if (event.what() instanceof Happening.Emitted(var piece)) {
                    if (bytes > 0 && bytes + piece.size() > PAGE_BYTES) {
                        return next(out, new Range(task.id(), after)).endArray().toJson();
                    }
                    content(out, uri, Json.raw(piece.bytes()));
                    bytes += piece.size() + OVERHEAD;
                }
                after = event.seq();
            }
        }
        return out.endArray().toJson();
    }

    private static void content(JsonWriter out, String uri, Json piece) {
        boolean text = piece.kind() == Json.Kind.STRING;
        content(out, uri, text ? "text/plain" : "application/json", text ? JsonReader.text(piece) : piece.toString());
    }

    /** The link to the next page is no content of this resource: it stands under its own URI. */
    private static JsonWriter next(JsonWriter out, Range range) {
        return content(out, range.uri(), "text/uri-list", "# The output goes on at\r\n" + range.uri() + "\r\n");
    }

    private static JsonWriter content(JsonWriter out, String uri, String type, String text) {
        out.beginObject().name("uri").string(uri).name("mimeType").string(type);
        return out.name("text").string(text).endObject();
    }

    private List<TaskEvent> history(Task task, long after) {
        return engine.history(task.owner(), task.id(), after, PAGE);
    }
}

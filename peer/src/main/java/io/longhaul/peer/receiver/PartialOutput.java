package io.longhaul.peer.receiver;

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

/**
 * What tasks have put out so far, as resources that their owners alone can read, for as long as the task is kept. They
 * are in no list.
 */
final class PartialOutput {

    private static final String BEFORE = "longhaul://tasks/";
    private static final String BEHIND = "/output";
    private static final int PAGE = 200;

    private final TaskEngine engine;

    PartialOutput(TaskEngine engine) {
        this.engine = engine;
    }

    static String uri(TaskId task) {
        return BEFORE + task + BEHIND;
    }

    /** All pieces so far, one content each; empty where the URI is of no task of this owner. */
    Optional<Json> read(Owner owner, String uri) {
        return task(uri).flatMap(id -> engine.find(owner, id)).map(task -> contents(task, uri));
    }

    /** Whether a task had put anything out by its event {@code upTo}. */
    boolean isAny(Task task, long upTo) {
        long after = 0;
        for (var page = history(task, after); !page.isEmpty() && after < upTo; page = history(task, after)) {
            for (TaskEvent event : page) {
                if (event.what() instanceof Happening.Emitted && event.seq() <= upTo) {
                    return true;
                }
            }
            after = page.getLast().seq();
        }
        return false;
    }

    private Json contents(Task task, String uri) {
        var out = new JsonWriter(1_024).beginArray();
        long after = 0;
        for (var page = history(task, after); !page.isEmpty(); page = history(task, after)) {
            for (TaskEvent event : page) {
                if (event.what() instanceof Happening.Emitted(var piece)) {
                    content(out, uri, Json.raw(piece.bytes()));
                }
            }
            after = page.getLast().seq();
        }
        return out.endArray().toJson();
    }

    private static void content(JsonWriter out, String uri, Json piece) {
        boolean text = piece.kind() == Json.Kind.STRING;
        out.beginObject().name("uri").string(uri);
        out.name("mimeType").string(text ? "text/plain" : "application/json");
        out.name("text")
                .string(text ? JsonReader.text(piece) : piece.toString())
                .endObject();
    }

    private List<TaskEvent> history(Task task, long after) {
        return engine.history(task.owner(), task.id(), after, PAGE);
    }

    private static Optional<TaskId> task(String uri) {
        boolean ours = uri.length() == BEFORE.length() + TaskId.LENGTH + BEHIND.length()
                && uri.startsWith(BEFORE)
                && uri.endsWith(BEHIND);
        return ours
                ? Optional.of(uri.substring(BEFORE.length(), uri.length() - BEHIND.length()))
                        .filter(TaskId::isWellFormed)
                        .map(TaskId::new)
                : Optional.empty();
    }
}

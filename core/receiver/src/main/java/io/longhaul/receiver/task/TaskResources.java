// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskPosition;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.request.InboundRequest;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves the partial output and log lines of tasks, and what their results keep, as resources, which only the owner of
 * a task can read, for as long as the task is kept. No list contains them.
 */
public record TaskResources(Context context) {

    /** The size of one page, which ends with a link to the rest. A larger piece is a page of its own. */
    private static final int PAGE_BYTES = 1 << 20;

    private static final String URIS = "longhaul://tasks/";

    /** The approximate size of a content item without its text. */
    private static final int OVERHEAD = 160;

    /** The kinds of resources of a task. */
    private enum Channel {
        OUTPUT,
        LOG;

        static Channel named(String name) {
            return name.equals("log") ? LOG : OUTPUT;
        }

        String uri(TaskId task, long after) {
            return TaskResources.uri(task, this == LOG ? "log" : "output") + (after == 0 ? "" : "?after=" + after);
        }

        /** The last event that the resource holds, 0 where it is empty. */
        long last(TaskPosition position) {
            return this == LOG ? position.lastLog() : position.lastOutput();
        }

        /** The part of an event that the resource holds, or null. */
        @Nullable
        Json piece(TaskEvent event) {
            return switch (event.what()) {
                case EventDetail.Emitted(var piece) when this == OUTPUT -> Json.raw(piece.bytes());
                case EventDetail.Logged line when this == LOG -> line(event, line);
                default -> null;
            };
        }

        /** A log line in the form of {@code notifications/message}, with its time. */
        private static Json line(TaskEvent event, EventDetail.Logged line) {
            var out = JsonWriter.object(line.data().size() + 128);
            out.member("at", event.at().toString()).member("level", line.level());
            out.optional("logger", line.logger())
                    .member("data", Json.raw(line.data().bytes()));
            return out.end();
        }
    }

    /**
     * A part of a resource.
     *
     * @param after the event after which the part begins, 0 for the whole
     */
    private record Range(Channel channel, long after) {

        private static final Pattern URI = Pattern.compile(
                URIS + "[^/?]{" + TaskId.LENGTH + "}/(?<kind>output|log)(\\?after=(?<after>[1-9]\\d{0,17}))?");

        static Optional<Range> of(String uri) {
            var found = URI.matcher(uri);
            return found.matches()
                    ? Optional.of(new Range(
                            Channel.named(found.group("kind")),
                            found.group("after") == null ? 0 : Long.parseLong(found.group("after"))))
                    : Optional.empty();
        }
    }

    /** Whether a URI has the form of a task's resource, of any owner. */
    public static boolean isOne(String uri) {
        return uri.startsWith(URIS);
    }

    /** The URI of a resource of a task. */
    public static String uri(TaskId task, String path) {
        return URIS + task + "/" + path;
    }

    /** The resources of a task that are not empty. */
    public static ResourceUris of(Task task) {
        var position = task.position();
        return position.lastOutput() == 0 && position.lastLog() == 0
                ? ResourceUris.NONE
                : new ResourceUris(uri(Channel.OUTPUT, task), uri(Channel.LOG, task));
    }

    private static @Nullable String uri(Channel channel, Task task) {
        return channel.last(task.position()) == 0 ? null : channel.uri(task.id(), 0);
    }

    /**
     * The pieces so far, one content item each: as many as one answer can have, then a link to the next ones. The last
     * piece says where those after it will be. What a result keeps is one item. Empty where the URI belongs to no task
     * of this owner.
     */
    public Optional<Json> read(InboundRequest request, String uri) {
        if (!isOne(uri)) {
            return Optional.empty();
        }
        return taskOf(uri)
                .flatMap(id -> context.engine().find(request.owner(), id))
                .flatMap(task -> {
                    var read = Range.of(uri)
                            .map(range -> contents(task, range, uri))
                            .or(() -> KeptContents.of(task, uri));
                    read.ifPresent(contents -> request.tell(ServerEvent.ResultRead::new, task));
                    return read;
                });
    }

    private static Optional<TaskId> taskOf(String uri) {
        var path = uri.substring(URIS.length());
        var id = path.substring(0, Math.max(0, path.indexOf('/')));
        return TaskId.isWellFormed(id) ? Optional.of(new TaskId(id)) : Optional.empty();
    }

    /** How many pieces of output a task had by its event {@code upTo}. */
    public long count(Task task, long upTo) {
        return context.history(task, 0)
                .limit(upTo)
                .filter(event -> event.what() instanceof EventDetail.Emitted)
                .count();
    }

    private Json contents(Task task, Range range, String uri) {
        var channel = range.channel();
        long last = channel.last(task.position());
        long after = range.after();
        long bytes = 0;
        boolean isFull = false;
        var pieces = new ArrayList<Json>();
        var events = context.history(task, after).iterator();
        while (!isFull && after < last && events.hasNext()) {
            var event = events.next();
            Json piece = channel.piece(event);
            isFull = piece != null && bytes > 0 && bytes + piece.size() > PAGE_BYTES;
            if (piece != null && !isFull) {
                pieces.add(piece);
                bytes += piece.size() + OVERHEAD;
            }
            after = isFull ? after : event.seq();
        }
        var next = channel.uri(task.id(), after);
        var out = new JsonWriter(1_024).beginArray();
        for (int i = 0; i < pieces.size(); i++) {
            content(
                    out,
                    uri,
                    pieces.get(i),
                    i == pieces.size() - 1 ? Map.of(Meta.NEXT, JsonWriter.quote(next)) : Map.of());
        }
        return (isFull ? link(out, next) : out).endArray().toJson();
    }

    private static void content(JsonWriter out, String uri, Json piece, Map<String, Json> meta) {
        String type = piece.kind() == Json.Kind.STRING ? "text/plain" : "application/json";
        MessageWriter.endWith(content(out, uri, type, JsonReader.shown(piece)), meta);
    }

    /** The link to the next page, as a content item under the URI of that page. */
    private static JsonWriter link(JsonWriter out, String uri) {
        return content(out, uri, "text/uri-list", "# The rest is at\r\n" + uri + "\r\n")
                .endObject();
    }

    /** The beginning of a content item. */
    private static JsonWriter content(JsonWriter out, String uri, String type, String text) {
        out.beginObject().member("uri", uri).member("mimeType", type);
        return out.member("text", text);
    }
}

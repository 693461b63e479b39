// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Writes parts of messages that several revisions spell alike. */
public final class MessageWriter {

    private static final byte[] TIMESTAMP = "0000-00-00T00:00:00.000Z".getBytes(StandardCharsets.ISO_8859_1);

    /** A buffer size for everything around the items of a page, in bytes. */
    private static final int PAGE_ROOM = 256;

    private MessageWriter() {}

    /**
     * A time in ISO 8601, in milliseconds of UTC. A formatter of the JDK would be a sixth of the cost of a list of
     * tasks.
     */
    static byte[] timestamp(Instant time) {
        var utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC);
        byte[] text = TIMESTAMP.clone();
        digits(text, 0, 4, utc.getYear());
        digits(text, 5, 2, utc.getMonthValue());
        digits(text, 8, 2, utc.getDayOfMonth());
        digits(text, 11, 2, utc.getHour());
        digits(text, 14, 2, utc.getMinute());
        digits(text, 17, 2, utc.getSecond());
        digits(text, 20, 3, utc.getNano() / 1_000_000);
        return text;
    }

    private static void digits(byte[] text, int from, int length, int number) {
        int rest = number;
        for (int at = from + length - 1; at >= from; at--) {
            text[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /** An object with a name and a version. */
    public static Json implementation(String name, String version) {
        return JsonWriter.object()
                .member("name", name)
                .member("version", version)
                .end();
    }

    /** The fields with which a task begins. */
    public static JsonWriter idAndStatus(JsonWriter writer, TaskView task, String status) {
        return writer.member("taskId", task.id()).member("status", status);
    }

    /** The times of a task of the revisions that have tasks, with its retention under the key {@code ttl}. */
    public static JsonWriter times(JsonWriter writer, TaskView.Times times, String ttl) {
        writer.name("createdAt")
                .plain(timestamp(times.createdAt()))
                .name("lastUpdatedAt")
                .plain(timestamp(times.updatedAt()))
                .name(ttl);
        return times.ttl() == null
                ? writer.nothing()
                : writer.number(times.ttl().toMillis());
    }

    /** Params of {@code notifications/progress}, with a {@code _meta} where it is not empty. */
    public static Json progress(Notice.Progress notice, Map<String, Json> meta) {
        var writer = JsonWriter.object().member(Meta.PROGRESS_TOKEN, notice.token());
        return meta(figures(writer, notice.progress()), meta);
    }

    /** Progress by itself. */
    public static Json progress(ProgressView progress) {
        return figures(JsonWriter.object(), progress).end();
    }

    /** Params of {@code notifications/message}, with a {@code _meta} where it is not empty. */
    public static Json log(Notice.Log notice, Map<String, Json> meta) {
        var writer = JsonWriter.object()
                .member("level", notice.level())
                .optional("logger", notice.logger())
                .member("data", notice.data());
        return meta(writer, meta);
    }

    /** Our own additions to the {@code _meta} of a task, and the progress of a live one. */
    public static Map<String, Json> additions(TaskView task) {
        var progress = task.status().progress();
        var relations = relations(task);
        if (progress == null || task.end() != null) {
            return relations;
        }
        var all = new LinkedHashMap<String, Json>();
        all.put(Meta.PROGRESS, progress(progress));
        all.putAll(relations);
        return all;
    }

    /** Our own additions to the {@code _meta} of a task: its resources and its parent. */
    public static Map<String, Json> relations(TaskView task) {
        var resources = resources(task.status().resources());
        String parent = task.status().parent();
        if (parent == null) {
            return resources;
        }
        var all = new LinkedHashMap<>(resources);
        all.put(Meta.PARENT, JsonWriter.quote(parent));
        return all;
    }

    /** Where the output and the log of a task can be read, as additions to a {@code _meta}. */
    public static Map<String, Json> resources(ResourceUris resources) {
        if (resources.equals(ResourceUris.NONE)) {
            return Map.of();
        }
        var uris = new LinkedHashMap<String, Json>();
        if (resources.output() != null) {
            uris.put(Meta.OUTPUT, JsonWriter.quote(resources.output()));
        }
        if (resources.log() != null) {
            uris.put(Meta.LOG, JsonWriter.quote(resources.log()));
        }
        return uris;
    }

    /** Ends an object with a {@code _meta} where it is not empty, and gives what was written. */
    public static Json meta(JsonWriter writer, Map<String, Json> meta) {
        return endWith(writer, meta).toJson();
    }

    /** Ends an object with a {@code _meta} where it is not empty. */
    public static JsonWriter endWith(JsonWriter writer, Map<String, Json> meta) {
        if (!meta.isEmpty()) {
            writer.name(Meta.META).beginObject();
            meta.forEach((name, value) -> writer.member(name, value));
            writer.endObject();
        }
        return writer.endObject();
    }

    /** Questions by key, each as the request that it stands for in a revision. */
    public static Json questions(Revision revision, Map<String, Question> questions) {
        var writer = JsonWriter.object();
        questions.forEach((key, question) -> writer.name(key)
                .beginObject()
                .member("method", question.method())
                .member("params", QuestionRewriter.params(revision, question))
                .endObject());
        return writer.end();
    }

    /** Progress as a sentence: {@code 42%: loaded}. */
    public static @Nullable String sentence(@Nullable ProgressView progress, @Nullable String message) {
        if (progress == null) {
            return message;
        }
        var total = progress.total();
        var figure = total == null || total <= 0
                ? new JsonWriter(24).number(progress.current()).toJson().toString()
                : (int) Math.clamp(Math.floor(100 * progress.current() / total), 0, 100) + "%";
        var words = progress.message() == null ? message : progress.message();
        return words == null ? figure : figure + ": " + words;
    }

    /** The texts of an array of content, one below the other; null where it has none. */
    public static @Nullable String text(Json content) {
        var texts = new ArrayList<String>();
        for (Json item : JsonReader.elements(content)) {
            String text = JsonReader.members(item).text("text");
            if (text != null) {
                texts.add(text);
            }
        }
        return texts.isEmpty() ? null : String.join("\n", texts);
    }

    /** An object of one text. */
    public static Json object(String name, String text) {
        return JsonWriter.object(64).member(name, text).end();
    }

    /** A text as an array of content. */
    public static Json content(String text) {
        return new JsonWriter()
                .beginArray()
                .beginObject()
                .member("type", "text")
                .member("text", text)
                .endObject()
                .endArray()
                .toJson();
    }

    /** A result of a tool that is an error: {@code text} for the model. */
    public static Json errorResult(String text) {
        return JsonWriter.object()
                .member("content", content(text))
                .member("isError", true)
                .end();
    }

    /** A page of a list, with the cursor of the next one where there is one. */
    public static Json page(String name, List<Json> items, @Nullable String nextCursor) {
        int size = items.stream().mapToInt(item -> item.size() + 1).sum();
        return page(name, items, size / Math.max(1, items.size()) + 1, JsonWriter::raw, nextCursor);
    }

    /**
     * A page of a list whose items are written into it, so that none has a buffer of its own.
     *
     * @param room for an item, in bytes; the page grows where it is not enough
     */
    public static <T> Json page(
            String name, List<T> items, int room, BiConsumer<JsonWriter, T> write, @Nullable String nextCursor) {
        var writer =
                JsonWriter.object(items.size() * room + PAGE_ROOM).name(name).beginArray();
        items.forEach(item -> write.accept(writer, item));
        return writer.endArray().optional("nextCursor", nextCursor).end();
    }

    private static JsonWriter figures(JsonWriter writer, ProgressView progress) {
        var figures = writer.member("progress", progress.current()).optional("total", progress.total());
        return figures.optional("message", progress.message());
    }
}

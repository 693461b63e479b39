// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonDigest;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.session.Session;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The id of an event on a stream over HTTP. Number and stream find the event among the events in memory. The mark and
 * the request suffice to resume from the durable history, even after a restart. No two events of a session have the
 * same id, because each stream has a name of its own.
 *
 * @param kind    what the stream is for
 * @param stream  the name of the stream, which belongs to one session
 * @param number  counts the events of the stream from 1; 0 is the position before the first event
 * @param mark    up to which event the client was told with this one
 * @param request the request that the stream answers, or null
 * @param token   the progress token that this request gave, or null
 */
public record EventId(
        Kind kind,
        String stream,
        long number,
        Mark mark,
        @Nullable RequestId request,
        @Nullable RequestId token) {

    /** What a stream is for. */
    public enum Kind {
        /** Carries messages that belong to no request of the session. */
        SESSION("s"),
        /** Answers a call without a task. */
        QUICK("q"),
        /** Answers the call that created a task, or a repeated call that was answered with the existing task. */
        CALL("c"),
        /** Answers a request for the outcome of a task. */
        WAIT("w"),
        /** The response on a CALL or WAIT stream: nothing follows. */
        END("e");

        private final String letter;

        Kind(String letter) {
            this.letter = letter;
        }

        private static Kind of(String letter) {
            return Arrays.stream(values())
                    .filter(kind -> kind.letter.equals(letter))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /**
     * Up to which event of the history the client was told.
     *
     * @param at   when the event happened, to the millisecond
     * @param task the task of the event, or null for none
     * @param seq  the last event of that task that was told
     */
    public record Mark(Instant at, @Nullable TaskId task, long seq) {

        /** The mark of a message that belongs to no task. */
        public static final Mark NONE = new Mark(Instant.EPOCH, null, 0);

        public static Mark of(Task task, TaskEvent event) {
            return new Mark(event.at(), task.id(), event.seq());
        }

        public static Mark of(Task task) {
            return new Mark(
                    task.position().updatedAt(), task.id(), task.position().lastEvent());
        }

        /** The mark of a message that another message of the same last event follows. */
        static Mark before(Task task) {
            return new Mark(
                    task.position().updatedAt(), task.id(), task.position().lastEvent() - 1);
        }
    }

    /** Enough for a request id of any 1,000 characters. */
    private static final int LONGEST = 9_000;

    private static final int ROOM_OF_NUMBERS = 50;
    private static final int TAG_BYTES = 6;
    private static final Pattern TEXT = Pattern.compile("(?<kind>[sqcwe])\\.(?<stream>[A-Za-z0-9_-]{9,64})"
            + "\\.(?<number>[0-9]{1,18})\\.(?<at>[0-9]{1,15})\\.(?<task>[0-9a-v]*)\\.(?<seq>[0-9]{1,18})"
            + "\\.(?<request>[A-Za-z0-9_-]*)(\\.(?<token>[A-Za-z0-9_-]+))?");

    /** The position before the first event of a new stream. */
    public static EventId start(Kind kind, Session session, String random, Mark mark, @Nullable RequestId request) {
        return new EventId(kind, random + tag(session.id(), random), 0, mark, request, null);
    }

    /** Whether the stream belongs to the session. */
    public boolean isOf(Session session) {
        int random = stream.length() - tag("", "").length();
        return random > 0
                && stream.equals(stream.substring(0, random) + tag(session.id(), stream.substring(0, random)));
    }

    /** This id, on the stream of a request that has given a progress token. */
    EventId under(@Nullable Json given) {
        return new EventId(kind, stream, number, mark, request, JsonRpcCodec.id(given));
    }

    public @Nullable Json progressToken() {
        return token == null ? null : JsonRpcCodec.encode(token);
    }

    public EventId next(Mark told) {
        return new EventId(kind, stream, number + 1, told, request, token);
    }

    /** This id, as the id of the response. */
    EventId asEnd() {
        return new EventId(Kind.END, stream, number, mark, request, null);
    }

    /** Whether the server accepts the id when it comes back. A longer request id has a stream without event ids. */
    public boolean fits() {
        return next(mark).text().length() + ROOM_OF_NUMBERS <= LONGEST;
    }

    public String text() {
        String task = mark.task() == null ? "" : mark.task().value();
        return String.join(
                ".",
                kind.letter,
                stream,
                Long.toString(number),
                Long.toString(mark.at().toEpochMilli()),
                task,
                Long.toString(mark.seq()),
                (request == null ? "" : text(request)) + (token == null ? "" : "." + text(token)));
    }

    private static String text(RequestId id) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(JsonRpcCodec.encode(id).bytes());
    }

    /** Reads the id of the last event that a client sends; empty for an id that this server never gives. */
    public static Optional<EventId> of(String text) {
        var parts = TEXT.matcher(text);
        if (text.length() > LONGEST || !parts.matches()) {
            return Optional.empty();
        }
        var kind = Kind.of(parts.group("kind"));
        String task = parts.group("task");
        boolean ofTask = kind != Kind.QUICK && kind != Kind.SESSION;
        if (!task.isEmpty() && !TaskId.isWellFormed(task) || task.isEmpty() && ofTask) {
            return Optional.empty();
        }
        var mark = new Mark(
                Instant.ofEpochMilli(Long.parseLong(parts.group("at"))),
                task.isEmpty() ? null : new TaskId(task),
                Long.parseLong(parts.group("seq")));
        var request = request(parts.group("request"));
        var given = parts.group("token");
        var token = request(given == null ? "" : given);
        return request.isEmpty() && ofTask || token.isEmpty() && given != null
                ? Optional.empty()
                : Optional.of(new EventId(
                        kind,
                        parts.group("stream"),
                        Long.parseLong(parts.group("number")),
                        mark,
                        request.orElse(null),
                        token.orElse(null)));
    }

    private static Optional<RequestId> request(String text) {
        try {
            String json = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            var id = json.startsWith("\"")
                    ? JsonRpcCodec.id(Json.raw(json))
                    : new RequestId.Number(Long.parseLong(json));
            return Optional.ofNullable(id)
                    .filter(read -> JsonRpcCodec.encode(read).toString().equals(json));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String tag(String session, String random) {
        byte[] digest = JsonDigest.sha256((session + " " + random).getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, TAG_BYTES));
    }
}

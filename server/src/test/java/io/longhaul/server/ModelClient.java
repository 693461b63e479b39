package io.longhaul.server;

import io.longhaul.server.ModelWorld.Work;
import io.longhaul.testkit.MemoryReply;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A client of the 2025-11-25 tasks: what it must have read, and what it has. */
final class ModelClient {

    private static final String ADA = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";

    /** A stream of the client. */
    private static final class Stream {
        final MemoryReply reply;
        final @Nullable Work work;
        final boolean resumed;
        final List<MemoryReply.Event> read = new ArrayList<>();
        boolean ended;

        /**
         * Opens the stream.
         *
         * @param work    what the stream waits for, or null for a GET stream
         * @param resumed whether messages are repeated on it
         */
        Stream(MemoryReply reply, @Nullable Work work, boolean resumed) {
            this.reply = reply;
            this.work = work;
            this.resumed = resumed;
        }
    }

    /** What the client knows of one task. */
    private static final class Known {
        final Set<Integer> progress = new TreeSet<>();

        /** Steps that the client must be told of. */
        final Set<Integer> owed = new TreeSet<>();

        final Map<Stream, JsonNode> questions = new HashMap<>();
        String lastQuestion = "";
        int ends;
        boolean endOwed;
        boolean held;
    }

    private final ModelWorld world;
    private final Served.Handshake session;
    private final List<Work> works = new ArrayList<>();
    private final Map<String, Work> byId = new HashMap<>();
    private final Map<Work, Known> known = new HashMap<>();
    private final Deque<Stream> gets = new ArrayDeque<>();
    private final List<Stream> waits = new ArrayList<>();
    private @Nullable Stream broken;
    private int read;

    ModelClient(ModelWorld world, Served.Handshake session) {
        this.world = world;
        this.session = session;
    }

    List<Work> works() {
        return works;
    }

    int read() {
        return read;
    }

    boolean start() {
        var work = world.work();
        var arguments = "{\"name\":\"" + work.name + "\"}";
        var params = Served.and(
                Served.call("works", arguments), "\"task\":{},\"_meta\":{\"progressToken\":\"" + work.name + "\"}");
        work.id = session.ask("tools/call", params)
                .path("result")
                .path("task")
                .path("taskId")
                .asString();
        works.add(work);
        byId.put(work.id, work);
        known.put(work, new Known());
        return true;
    }

    /** A task of the client has reported a step. */
    void progressed(Work work) {
        if (isTold(work)) {
            known.get(work).owed.add(work.progress);
        }
    }

    /** Waits until a task is in a state, for those who look. */
    void awaitStatus(Work work, String status) {
        world.await(
                () -> session.ask("tasks/get", named(work))
                        .path("result")
                        .path("status")
                        .asString()
                        .equals(status),
                () -> work.name + " is not " + status);
        known.get(work).held = status.equals("input_required");
        known.get(work).endOwed = !status.equals("input_required");
    }

    boolean openGet() {
        if (gets.size() == 2) {
            return false;
        }
        gets.addFirst(new Stream(session.get(), null, false));
        return true;
    }

    boolean breakGet() {
        if (gets.isEmpty()) {
            return false;
        }
        var stream = gets.removeFirst();
        leave(stream);
        broken = stream;
        return true;
    }

    /** Comes back to the GET stream that broke last, perhaps behind an event before the last one. */
    boolean resumeGet() {
        var from = broken;
        if (from == null || from.read.isEmpty() || gets.size() == 2) {
            return false;
        }
        broken = null;
        int last = world.random.nextInt(3) == 0 ? world.random.nextInt(from.read.size()) : from.read.size() - 1;
        from.read.subList(last + 1, from.read.size()).forEach(event -> forget(from, event));
        var stream = new Stream(session.resume(from.read.get(last).id()), null, true);
        stream.read.addAll(from.read.subList(0, last + 1));
        stream.read.forEach(event -> remember(stream, event));
        gets.addFirst(stream);
        return true;
    }

    /** A question that the client has read on the stream before is in front of it again. */
    private void remember(Stream stream, MemoryReply.Event event) {
        known.forEach((work, task) -> {
            if (work.asks
                    && !work.over
                    && !event.data().isEmpty()
                    && task.questions.isEmpty()
                    && event.data().equals(task.lastQuestion)) {
                task.questions.put(stream, Served.json(event.data()));
            }
        });
    }

    boolean await(Work work) {
        waits.add(new Stream(session.send("tasks/result", named(work)), work, false));
        world.await(waits.getLast().reply::isAnswered, () -> "no head of a response");
        return true;
    }

    boolean breakWait() {
        var open = waits.stream().filter(stream -> !stream.ended).findFirst();
        open.ifPresent(stream -> {
            world.await(stream.reply::isAnswered, () -> "no head");
            leave(stream);
            waits.remove(stream);
        });
        return open.isPresent();
    }

    private void leave(Stream stream) {
        stream.reply.leave();
        known.values().forEach(task -> task.questions.remove(stream));
    }

    boolean answer() {
        for (var task : known.entrySet()) {
            for (var question : task.getValue().questions.values()) {
                task.getKey().asks = false;
                task.getValue().lastQuestion = "";
                session.answer(question, ADA).status();
                awaitStatus(task.getKey(), "working");
                task.getValue().questions.clear();
                task.getValue().endOwed = false;
                return true;
            }
        }
        return false;
    }

    boolean cancel(Work work) {
        work.over = true;
        work.cancelled = true;
        session.ask("tasks/cancel", named(work));
        known.get(work).endOwed = true;
        known.get(work).questions.clear();
        return true;
    }

    private static String named(Work work) {
        return "{\"taskId\":\"" + work.id + "\"}";
    }

    /** Whether some stream is open that carries what happens to the task. */
    private boolean isTold(Work work) {
        return !gets.isEmpty() || waits.stream().anyMatch(stream -> !stream.ended && work.equals(stream.work));
    }

    /** Whether the client has read all that it must have been told. */
    boolean isSettled() {
        gets.forEach(this::read);
        List.copyOf(waits).forEach(this::read);
        return owed().isEmpty();
    }

    /** What the client has not been told and must have been, for the reader of a failure. */
    String owed() {
        var missing = new StringBuilder();
        known.forEach((work, task) -> {
            if (!task.progress.containsAll(task.owed)) {
                missing.append(work.name)
                        .append(" steps ")
                        .append(task.owed)
                        .append(" but ")
                        .append(task.progress);
            }
            if (task.endOwed && !gets.isEmpty() && task.ends == 0) {
                missing.append(work.name).append(" its end");
            }
            if (work.asks && !work.over && isAskedNow(work) && task.questions.isEmpty()) {
                missing.append(work.name).append(" its question");
            }
        });
        waits.stream()
                .filter(stream -> stream.work != null && stream.work.over && !stream.ended)
                .forEach(stream -> missing.append(stream.work.name).append(" its response"));
        return missing.toString();
    }

    /** A question goes out at once to a request that waits, and on a GET stream after a poll. */
    private boolean isAskedNow(Work work) {
        return waits.stream().anyMatch(stream -> !stream.ended && work.equals(stream.work));
    }

    private void read(Stream stream) {
        while (!stream.ended && stream.reply.isAnswered() && !stream.reply.isQuiet()) {
            var event = stream.reply.next();
            if (event.isEmpty()) {
                end(stream);
            } else {
                read(stream, event.get());
            }
        }
    }

    private void end(Stream stream) {
        stream.ended = true;
        if (stream.work == null) {
            throw new AssertionError("a GET stream ended");
        }
        if (!stream.work.over) {
            throw new AssertionError("a request for a result ended before its task");
        }
    }

    private void read(Stream stream, MemoryReply.Event event) {
        read++;
        if (event.id() != null) {
            stream.read.add(event);
        }
        if (event.data().isEmpty()) {
            return;
        }
        var message = Served.json(event.data());
        switch (message.path("method").asString()) {
            case "notifications/progress" -> progress(message.path("params"));
            case "notifications/tasks/status" -> status(message.path("params"));
            case "elicitation/create" -> question(stream, message, event.data());
            case "notifications/message", "notifications/cancelled" -> {
                // Log lines come at a pace; a question is withdrawn with its task.
            }
            default -> response(stream, message);
        }
    }

    private void progress(JsonNode params) {
        var task = known.entrySet().stream()
                .filter(entry ->
                        entry.getKey().name.equals(params.path("progressToken").asString()))
                .findFirst()
                .orElseThrow()
                .getValue();
        int step = params.path("progress").asInt();
        if (!task.progress.add(step)) {
            throw new AssertionError("step " + step + " was told twice");
        }
    }

    private void status(JsonNode params) {
        if (!Set.of("completed", "cancelled", "failed")
                .contains(params.path("status").asString())) {
            return;
        }
        var task = known.get(byId.get(params.path("taskId").asString()));
        task.ends++;
        if (task.ends > 1) {
            throw new AssertionError("an end was told twice");
        }
    }

    private void question(Stream stream, JsonNode message, String data) {
        var id = message.path("params")
                .path("_meta")
                .path("io.modelcontextprotocol/related-task")
                .path("taskId")
                .asString();
        var task = known.get(byId.get(id));
        task.questions.keySet().removeIf(other -> !gets.contains(other) && !waits.contains(other));
        if (task.questions.containsKey(stream) || !stream.resumed && !task.questions.isEmpty()) {
            throw new AssertionError("the question of " + byId.get(id).name + " was put while it was in front");
        }
        task.questions.put(stream, message);
        task.lastQuestion = data;
    }

    private static void response(Stream stream, JsonNode message) {
        if (stream.work == null) {
            throw new AssertionError("a response came on a GET stream: " + message);
        }
        if (!stream.work.over) {
            throw new AssertionError("a response came before the end: " + message);
        }
    }

    /** What came after the event at which the client resumes is told again. */
    private void forget(Stream stream, MemoryReply.Event event) {
        if (event.data().isEmpty()) {
            return;
        }
        var message = Served.json(event.data());
        var params = message.path("params");
        switch (message.path("method").asString()) {
            case "notifications/progress" ->
                known.forEach((work, task) -> {
                    if (work.name.equals(params.path("progressToken").asString())) {
                        task.progress.remove(params.path("progress").asInt());
                    }
                });
            case "notifications/tasks/status" -> {
                if (Set.of("completed", "cancelled", "failed")
                        .contains(params.path("status").asString())) {
                    known.get(byId.get(params.path("taskId").asString())).ends--;
                }
            }
            default -> {
                // A question is put again, and a log line is not counted.
            }
        }
    }

    void close() {
        gets.forEach(stream -> stream.reply.leave());
        waits.forEach(stream -> stream.reply.leave());
    }
}

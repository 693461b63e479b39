package io.longhaul.receiver;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.RequestId;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Where in which stream an event stands: enough to go on with the stream from the durable record, after a restart too.
 *
 * @param task    whose events the stream tells
 * @param seq     the last event told
 * @param isCall  whether the stream answers the call itself, rather than a request for the outcome of its task
 * @param request the request that the stream answers
 */
record StreamCursor(TaskId task, long seq, boolean isCall, RequestId request) {

    private static final int PARTS = 4;
    private static final int LONGEST = 1_000;

    StreamCursor at(long later) {
        return new StreamCursor(task, later, isCall, request);
    }

    /** As the id of an event. */
    String text() {
        String id = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(JsonRpcCodec.encode(request).bytes());
        return task.value() + "." + seq + (isCall ? ".c." : ".r.") + id;
    }

    static Optional<StreamCursor> of(String text) {
        String[] parts = text.split("\\.", -1);
        if (text.length() > LONGEST
                || parts.length != PARTS
                || !TaskId.isWellFormed(parts[0])
                || !parts[1].matches("[0-9]{1,18}")
                || !parts[2].matches("[cr]")) {
            return Optional.empty();
        }
        return request(parts[PARTS - 1])
                .map(id -> new StreamCursor(new TaskId(parts[0]), Long.parseLong(parts[1]), parts[2].equals("c"), id));
    }

    private static Optional<RequestId> request(String text) {
        try {
            String json = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            if (json.matches("-?[0-9]{1,18}")) {
                return Optional.of(new RequestId.Number(Long.parseLong(json)));
            }
            return json.length() > 1 && json.startsWith("\"") && json.endsWith("\"")
                    ? Optional.ofNullable(JsonRpcCodec.id(Json.raw(json)))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}

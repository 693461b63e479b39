// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonDigest;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.Context;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the tasks of a session: all tasks that the session created, and the tasks that each request created or
 * repeated. The route of a task is its creating request, so this index is written and removed with the task. A
 * repetition has a row of its own, which is kept as long as a task may be kept, and one for its progress token.
 */
public record SessionTasks(TaskEngine engine) {

    private static final String REPETITION = "repetition";
    private static final String TOKEN = "repetition-token";
    private static final int PAGE = 100;
    private static final int DIGEST_BYTES = 8;

    public static SessionTasks of(Context context) {
        return new SessionTasks(context.engine());
    }

    public static Route route(String session, RequestId request) {
        byte[] digest = JsonDigest.sha256(JsonRpcCodec.encode(request));
        return new Route(session, HexFormat.of().formatHex(digest, 0, DIGEST_BYTES));
    }

    /** All tasks that the session created, read page by page. */
    public Stream<Task> of(Session session) {
        return routed(session, new Route(session.id(), null));
    }

    public Stream<Task> createdBy(Session session, RequestId request) {
        return routed(session, route(session.id(), request));
    }

    private Stream<Task> routed(Session session, Route route) {
        return Context.<Task>paged(
                last -> engine.routed(session.owner(), route, last == null ? null : last.id(), PAGE));
    }

    /** The tasks of other sessions whose calls this session repeated. */
    public Stream<Task> repeatedIn(Session session) {
        var own = new Route(session.id(), null);
        return Context.rows(engine, REPETITION, session.id() + "/")
                .map(row -> row.value().text())
                .distinct()
                .flatMap(id -> engine.find(session.owner(), new TaskId(id)).stream())
                .filter(task -> !own.finds(task.spec().source().route()));
    }

    public void repeated(Session session, RequestId request, Task task) {
        keep(REPETITION, key(session, request), Payload.ofText(task.id().value()));
    }

    /** The task whose call the last request with this id in the session repeated. */
    public Optional<Task> repeatedBy(Session session, RequestId request) {
        return engine.rows()
                .get(REPETITION, key(session, request), engine.time().now())
                .flatMap(row ->
                        engine.find(session.owner(), new TaskId(row.value().text())));
    }

    /** Has the session told of progress under the token of its latest repetition of the task's call. */
    public void repeatedUnder(Session session, Task task, Json token) {
        keep(TOKEN, key(session, task), Payload.of(token.bytes()));
    }

    /** The token of {@link #repeatedUnder}. */
    public Optional<Json> token(Session session, Task task) {
        return engine.rows()
                .get(TOKEN, key(session, task), engine.time().now())
                .map(row -> Json.raw(row.value().bytes()));
    }

    private void keep(String space, String key, Payload value) {
        var until = engine.time().now().plus(engine.limits().longestRetention());
        engine.rows().put(new StoredRow(space, key, value, until));
    }

    private static String key(Session session, Task task) {
        return session.id() + "/" + task.id().value();
    }

    private static String key(Session session, RequestId request) {
        return route(session.id(), request).text();
    }
}

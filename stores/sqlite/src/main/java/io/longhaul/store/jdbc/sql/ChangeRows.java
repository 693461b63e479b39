// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.store.jdbc.codec.EventCodec;
import io.longhaul.store.jdbc.codec.ImpliedEvents;
import io.longhaul.store.jdbc.codec.LargeParts;
import io.longhaul.store.jdbc.codec.RowSeal;
import io.longhaul.store.jdbc.codec.TaskCodec;
import io.longhaul.store.jdbc.codec.Times;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one change writes, encoded and sealed. The calling thread makes them, so that the writer's thread has
 * less to do.
 *
 * @param spec   the part of the task that never changes; null for an existing task
 * @param body   the part of the task that changes
 * @param events the new events that need rows of their own
 * @param parts  the new large payloads
 */
public record ChangeRows(
        Change change,
        byte @Nullable [] spec,
        byte[] body,
        Indexed indexed,
        List<EventRow> events,
        List<PartRow> parts) {

    /** A row of the table of events. */
    public record EventRow(long seq, byte[] body) {}

    /** A row of the table of large payloads. */
    public record PartRow(String name, byte[] body) {}

    /**
     * The indexed columns of a task: a write that leaves them unchanged need not touch the indexes.
     *
     * @param stage     2 while the task is live, 1 while the work of an ended task may still run, 0 afterwards
     * @param expiresAt when the task may be removed, in the form of the column; null while it may not be removed
     */
    public record Indexed(
            int stage, @Nullable Lease lease, @Nullable Long expiresAt) {

        public static Indexed of(Task task) {
            return new Indexed(stageOf(task.ending()), task.execution().lease(), expiryOf(task));
        }

        /** The node that holds the task, or null. */
        public @Nullable String node() {
            return lease == null ? null : lease.node();
        }

        /** The epoch of the lease, or 0. */
        public long epoch() {
            return lease == null ? 0 : lease.epoch();
        }

        private static int stageOf(@Nullable Ending ending) {
            if (ending == null) {
                return 2;
            }
            return ending.workEnded() ? 0 : 1;
        }

        private static @Nullable Long expiryOf(Task task) {
            var expiry = task.hasEndedWork() ? task.expiry() : null;
            return expiry == null ? null : Times.toColumn(expiry);
        }
    }

    public static ChangeRows of(Change change, RowSeal seal) {
        var task = change.after();
        var id = task.id().value();
        var spec = change.before() == null ? seal.seal(TaskCodec.writeSpec(task.spec()), TaskRows.spec(id)) : null;
        var events = new ArrayList<EventRow>();
        for (var event : change.events()) {
            if (!ImpliedEvents.has(task, event)) {
                var body = EventCodec.write(event, task.ending());
                events.add(new EventRow(event.seq(), seal.seal(body, TaskRows.event(id, event.seq()))));
            }
        }
        var parts = new ArrayList<PartRow>();
        LargeParts.toWrite(change.before(), task)
                .forEach((name, part) ->
                        parts.add(new PartRow(name, seal.seal(part.bytes(), TaskRows.part(id, name)))));
        var body = seal.seal(TaskCodec.writeBody(task), TaskRows.body(id));
        return new ChangeRows(change, spec, body, Indexed.of(task), events, parts);
    }

    /** The id of the task. */
    public String id() {
        return change.after().id().value();
    }

    /** The key of the creation, or null. */
    public @Nullable String key() {
        var key = change.after().spec().creationKey();
        return key == null ? null : key.value();
    }

    /** The name of the tool that runs the task. */
    public String work() {
        return change.after().spec().work();
    }

    /** The route of the task as text, or null. */
    public @Nullable String route() {
        Route route = change.after().spec().source().route();
        return route == null ? null : route.text();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.codec.RowSeal;
import io.longhaul.store.jdbc.codec.TaskCodec;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ids of the tasks that match a filter. Indexes cover the owner and the time of creation, the children of
 * each task, and the tasks whose work has not ended. The tool and the state of a task are in blobs, which may be
 * sealed. An index of them would cost one more write for each change of state, and would reveal sealed data. So the
 * listing reads them from the rows, from at most {@link #LOOKED_AT} rows for a page.
 *
 * @param ofLive a hint after the name of the table that names the index of live tasks, for a database that needs it
 */
public record TaskListing(RowSeal seal, String ofLive) {

    /** The most rows that are read for a page, which takes some milliseconds. */
    public static final int LOOKED_AT = 2_000;

    /** A text that sorts after every id. */
    private static final String NEWEST = "~";

    /** The ids of a page, and the last id that was looked at; null where no more rows follow. */
    public record Page(List<TaskId> ids, @Nullable TaskId next) {}

    /** One row, and whether it matches the filter. */
    private record Look(TaskId id, boolean isTaken) {}

    /** A page of up to {@code limit} tasks after {@code before}. */
    public Page page(SqlSession session, TaskFilter filter, @Nullable TaskId before, int limit) throws SQLException {
        if (limit <= 0) {
            return new Page(List.of(), null);
        }
        boolean isInIndex = filter.work() == null && filter.states().isEmpty();
        long most = isInIndex ? limit + 1L : LOOKED_AT;
        var looks = isInIndex
                ? session.query(row -> new Look(id(row), true), ids(filter), values(filter, before, most))
                : look(session, filter, limit, values(filter, before, most));
        var taken = looks.stream().filter(Look::isTaken).map(Look::id).toList();
        if (taken.size() > limit) {
            return new Page(taken.subList(0, limit), taken.get(limit - 1));
        }
        return new Page(taken, looks.size() < most ? null : looks.getLast().id());
    }

    /** Reads rows until one match more than the page needs was found, or the rows end. */
    private List<Look> look(SqlSession session, TaskFilter filter, int limit, @Nullable Object[] values)
            throws SQLException {
        var found = new AtomicInteger();
        return session.queryWhile(
                look -> !look.isTaken() || found.incrementAndGet() <= limit,
                row -> new Look(id(row), isTaken(filter, row)),
                "SELECT id, spec, body FROM task WHERE id IN (" + ids(filter) + ") ORDER BY id DESC",
                values);
    }

    private boolean isTaken(TaskFilter filter, ResultSet row) throws SQLException {
        var id = row.getString(1);
        var work = filter.work();
        return (work == null || work.equals(new TaskRows(seal).work(id, row.getBytes(2))))
                && (filter.states().isEmpty()
                        || filter.takes(TaskCodec.stateOf(seal.open(row.getBytes(3), TaskRows.body(id)))));
    }

    private static TaskId id(ResultSet row) throws SQLException {
        return new TaskId(row.getString(1));
    }

    private String ids(TaskFilter filter) {
        return "SELECT id FROM task"
                + (filter.isOfLive() && filter.parent() == null ? " " + ofLive + " WHERE stage > 0 AND" : " WHERE")
                + (filter.owner() == null ? "" : " owner = ? AND")
                + (filter.parent() == null ? "" : " route_group = ? AND")
                + " id < ? AND id >= ? ORDER BY id DESC LIMIT ?";
    }

    private static @Nullable Object[] values(TaskFilter filter, @Nullable TaskId before, long most) {
        var values = new ArrayList<Object>();
        Owner owner = filter.owner();
        if (owner != null) {
            values.add(owner.value());
        }
        TaskId parent = filter.parent();
        if (parent != null) {
            values.add(Route.ofChildren(parent, null).group());
        }
        values.add(before == null ? NEWEST : before.value());
        values.add(filter.since() == null ? "" : TaskId.first(filter.since()).value());
        values.add(most);
        return values.toArray();
    }
}

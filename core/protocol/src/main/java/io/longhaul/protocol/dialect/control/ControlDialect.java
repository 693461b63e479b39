// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.control;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.call.HistoryRange;
import io.longhaul.protocol.call.TaskQuery;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.base.ForwardingDialect;
import io.longhaul.protocol.dialect.words.CallReader;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.RequestId;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The dialect of {@link TaskControl} over that of one version. */
final class ControlDialect extends ForwardingDialect {

    private static final int PAGE = 50;
    private static final int LARGEST_PAGE = 200;
    private static final int EVENTS = 200;
    private static final int MOST_EVENTS = 1_000;
    private static final long LONGEST_WAIT = 20_000;

    private final Revision version;

    ControlDialect(Dialect session, Revision version) {
        super("longhaul-tasks-" + version.version(), session.traits(), session);
        this.version = version;
    }

    @Override
    public Call read(String method, Params params) {
        return switch (method) {
            case TaskControl.LIST ->
                new Call.FindTasks(
                        query(params), CallReader.cursor(params), count(params, "limit", PAGE, LARGEST_PAGE));
            case TaskControl.GET -> new Call.InspectTask(params.string("taskId"));
            case TaskControl.HISTORY -> new Call.ReadHistory(params.string("taskId"), range(params));
            case TaskControl.RETRY -> new Call.RerunTask(params.string("taskId"), params.flag("resume"));
            case TaskControl.DELETE -> new Call.DeleteTask(params.string("taskId"));
            case TaskControl.PURGE -> {
                var age = Duration.ofMillis(number(params, "olderThanMs", 0, Params.LONGEST_TIME.toMillis()));
                yield new Call.PurgeTasks(query(params), age, CallReader.cursor(params));
            }
            default -> super.read(method, params);
        };
    }

    private static TaskQuery query(Params params) {
        return new TaskQuery(
                params.optionalString("owner"),
                params.optionalString("tool"),
                states(params),
                since(params),
                params.optionalString("parent"));
    }

    private static Set<State> states(Params params) {
        var states = new HashSet<State>();
        for (var word : params.strings("states")) {
            states.add(Arrays.stream(State.values())
                    .filter(state -> MessageWriter.status(state).equals(word))
                    .findFirst()
                    .orElseGet(() -> params.fail("states", "must be some of " + allStates())));
        }
        return states;
    }

    private static String allStates() {
        return Arrays.stream(State.values()).map(MessageWriter::status).collect(Collectors.joining(", "));
    }

    private static @Nullable Instant since(Params params) {
        var since = params.optionalString("since");
        try {
            return since == null ? null : OffsetDateTime.parse(since).toInstant();
        } catch (DateTimeException e) {
            return params.fail("since", "must be a time like 2030-01-31T12:00:00Z");
        }
    }

    private static HistoryRange range(Params params) {
        var types = params.strings("types");
        if (!HistoryEvent.TYPES.containsAll(types)) {
            params.fail("types", "must be some of " + String.join(", ", HistoryEvent.TYPES));
        }
        return new HistoryRange(
                number(params, "after", 0, Long.MAX_VALUE),
                count(params, "limit", EVENTS, MOST_EVENTS),
                Set.copyOf(types),
                Duration.ofMillis(number(params, "waitMs", 0, LONGEST_WAIT)));
    }

    private static int count(Params params, String name, int unsaid, int most) {
        long count = number(params, name, unsaid, most);
        return count == 0 ? params.fail(name, "must be at least 1") : (int) count;
    }

    /** Reads a number; a value above {@code most} is cut to {@code most}. */
    private static long number(Params params, String name, long unsaid, long most) {
        var number = params.optionalAmount(name, most);
        return number == null ? unsaid : number;
    }

    @Override
    public Encoded encode(RequestId id, Call call, CallResponse response) {
        var result = switch (response) {
            case CallResponse.TaskRecords(var tasks, var next) ->
                MessageWriter.page(
                        "tasks", tasks.stream().map(ControlWriter::listed).toList(), next);
            case CallResponse.Inspected(var task) -> ControlWriter.whole(task, version);
            case CallResponse.History history -> ControlWriter.history(history);
            case CallResponse.TaskCreated(var task, var immediate) -> ControlWriter.created(task);
            case CallResponse.TaskDeleted deleted -> Json.EMPTY_OBJECT;
            case CallResponse.Purged(var deleted, var next) -> ControlWriter.purged(deleted, next);
            default -> null;
        };
        return super.encode(id, call, result == null ? response : new CallResponse.ToolResult(result));
    }
}

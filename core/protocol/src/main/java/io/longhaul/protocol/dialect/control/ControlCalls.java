// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.control;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.call.HistoryRange;
import io.longhaul.protocol.call.TaskQuery;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.words.CallCodec;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.Params;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The calls of {@link TaskControl}, for both sides. A server reads strictly, and names a wrong field. */
final class ControlCalls {

    static final String PREFIX = Meta.TASK_CONTROL + "/";

    private static final String LIST = PREFIX + "list";
    private static final String GET = PREFIX + "get";
    private static final String HISTORY = PREFIX + "history";
    private static final String RETRY = PREFIX + "retry";
    private static final String DELETE = PREFIX + "delete";
    private static final String PURGE = PREFIX + "purge";

    private static final int PAGE = 50;
    private static final int LARGEST_PAGE = 200;
    private static final int EVENTS = 200;
    private static final int MOST_EVENTS = 1_000;
    private static final long LONGEST_WAIT = 20_000;

    private ControlCalls() {}

    /** The call of a method; null for a method that the extension does not have. */
    static @Nullable Call read(String method, Params params) {
        return switch (method) {
            case LIST ->
                new Call.FindTasks(query(params), CallCodec.cursor(params), count(params, "limit", PAGE, LARGEST_PAGE));
            case GET -> new Call.InspectTask(params.string("taskId"));
            case HISTORY -> new Call.ReadHistory(params.string("taskId"), range(params));
            case RETRY -> new Call.RerunTask(params.string("taskId"), params.flag("resume"));
            case DELETE -> new Call.DeleteTask(params.string("taskId"));
            case PURGE -> {
                var age = Duration.ofMillis(number(params, "olderThanMs", 0, Params.LONGEST_TIME.toMillis()));
                yield new Call.PurgeTasks(query(params), age, CallCodec.cursor(params));
            }
            default -> null;
        };
    }

    /** The request for a call; empty where the call is not of this extension. */
    static Optional<Call.Extended> write(Call call) {
        return Optional.ofNullable(
                switch (call) {
                    case Call.FindTasks find ->
                        said(LIST, query(find.cursor(), find.query()).put("limit", find.limit()));
                    case Call.InspectTask inspect -> said(GET, task(inspect.taskId()));
                    case Call.ReadHistory read -> said(HISTORY, history(read));
                    case Call.RerunTask retry -> {
                        var params = task(retry.taskId());
                        yield said(RETRY, retry.resumes() ? params.put("resume", true) : params);
                    }
                    case Call.PurgeTasks purge -> {
                        var params = query(purge.cursor(), purge.query());
                        yield said(
                                PURGE,
                                params.put("olderThanMs", purge.olderThan().toMillis()));
                    }
                    default -> null;
                });
    }

    private static Call.Extended said(String method, ObjectNode params) {
        return new Call.Extended(method, JsonTree.write(params));
    }

    private static ObjectNode task(String id) {
        return JsonTree.object().put("taskId", id);
    }

    private static TaskQuery query(Params params) {
        return new TaskQuery(
                params.optionalString("owner"),
                params.optionalString("tool"),
                states(params),
                since(params),
                params.optionalString("parent"));
    }

    private static ObjectNode query(@Nullable String cursor, TaskQuery query) {
        var params = CallCodec.cursor(cursor);
        if (query.owner() != null) {
            params.put("owner", query.owner());
        }
        if (query.tool() != null) {
            params.put("tool", query.tool());
        }
        if (!query.states().isEmpty()) {
            var states = params.putArray("states");
            query.states().stream().sorted().map(ControlCodec.WORDS::word).forEach(states::add);
        }
        if (query.since() != null) {
            params.put("since", query.since().toString());
        }
        if (query.parent() != null) {
            params.put("parent", query.parent());
        }
        return params;
    }

    private static Set<State> states(Params params) {
        var states = new HashSet<State>();
        for (var word : params.strings("states")) {
            states.add(ControlCodec.WORDS
                    .state(word)
                    .orElseGet(() -> params.fail("states", "must be some of " + ControlCodec.WORDS.all())));
        }
        return states;
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
                params.optionalAmount("written", Long.MAX_VALUE),
                Duration.ofMillis(number(params, "waitMs", 0, LONGEST_WAIT)));
    }

    private static ObjectNode history(Call.ReadHistory call) {
        var range = call.range();
        var params = task(call.taskId()).put("after", range.after()).put("limit", range.limit());
        if (!range.types().isEmpty()) {
            var types = params.putArray("types");
            range.types().stream().sorted().forEach(types::add);
        }
        if (range.written() != null) {
            params.put("written", range.written());
        }
        return range.patience().isZero()
                ? params
                : params.put("waitMs", range.patience().toMillis());
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
}

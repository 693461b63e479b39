// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.tool;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Answer.TaskMode;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.receiver.question.ToolQuestions;
import io.longhaul.schema.SchemaCheck;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One tool as it is served.
 *
 * @param name       unique on the server
 * @param definition as it is listed, see {@link Answer.ToolInfo}
 * @param arguments  what its arguments must be
 * @param kind       how a call of it is answered
 * @param schemas    what else its schemas say
 * @param admission  which messages may call it
 */
public record ServedTool(
        String name, Json definition, SchemaCheck arguments, Kind kind, Schemas schemas, Admission admission) {

    /** A tool whose schemas are in its definition. */
    public ServedTool(String name, Json definition, SchemaCheck arguments, Kind kind, Admission admission) {
        this(name, definition, arguments, kind, Schemas.of(JsonReader.members(definition)), admission);
    }

    /**
     * Which messages may call a tool.
     *
     * @param scopes that a message needs, where scopes are told apart
     * @param check  refuses a caller by an {@link RpcException}; null where no caller is refused
     */
    public record Admission(Set<String> scopes, @Nullable Consumer<CallerInfo> check) {
        public Admission {
            scopes = Set.copyOf(scopes);
        }
    }

    /** How a call is answered. */
    public sealed interface Kind {

        /**
         * At once, and never as a task.
         *
         * @param handlers give what answers a call with such arguments
         */
        record Quick(Function<Json, QuickHandler> handlers) implements Kind {}

        /**
         * By a durable task of the engine's work that has the tool's name.
         *
         * @param which     which of its calls are tasks
         * @param keep      how long a finished task is kept where the caller does not say; null for the engine's
         * default
         * @param immediate gives an array of content that a model may be told meanwhile, of a call with such arguments,
         *                  or null; must not throw
         * @param questions that are known before a call
         * @param parts     how callers that take its output part by part are answered
         * @param plain     how calls are answered whose hosts know no tasks
         */
        record LongRunning(
                Which which,
                @Nullable Duration keep,
                Function<Json, @Nullable Json> immediate,
                ToolQuestions questions,
                Parts parts,
                Plain plain)
                implements Kind {
            /** Whether callers that take no task are refused. */
            public boolean taskOnly() {
                return which instanceof Which.TasksOnly;
            }
        }
    }

    /** Which calls of a long-running tool are tasks. */
    public sealed interface Which {

        /** Every call, whether its caller knows of the task or not. */
        record Every() implements Which {}

        /** Every call; callers that take no task are refused. */
        record TasksOnly() implements Which {}

        /**
         * Calls with such arguments, and those whose callers ask for a task.
         *
         * @param otherwise how all others are answered
         */
        record Some(Predicate<Json> isLong, Kind.Quick otherwise) implements Which {}
    }

    /**
     * How a call is answered part by part.
     *
     * @param always whether callers are answered so that did not say that they know of it
     * @param timeout how long a call waits for the next part; null for as long as the server's calls do
     * @param life   how long a token is good for, a week at most; null for as long as the server's are
     */
    public record Parts(
            boolean always,
            @Nullable Duration timeout,
            @Nullable Duration life) {
        /** As the server does it. */
        public static final Parts DEFAULT = new Parts(false, null, null);
    }

    /**
     * How a call is answered whose host knows no tasks, and gives it up after a while.
     *
     * @param hold     how long it is held open; null for as long as the server holds its calls
     * @param outlives whether the task goes on when the host gives up the call
     * @param joins    whether the same call again is given a result that no client has received, and is no call of its
     *                 own
     */
    public record Plain(@Nullable Duration hold, boolean outlives, boolean joins) {
        /** As the server does it. */
        public static final Plain DEFAULT = new Plain(null, true, true);
    }

    /**
     * What the schemas of a tool say beside what its arguments must be.
     *
     * @param marked     the input schema where headers repeat some of the arguments, else null
     * @param structured whether structured content is promised
     */
    public record Schemas(@Nullable Json marked, boolean structured) {

        private static Schemas of(JsonMembers definition) {
            Json input = definition.get("inputSchema");
            boolean isMarked = input != null && input.toString().contains("x-mcp-header");
            return new Schemas(isMarked ? input : null, definition.has("outputSchema"));
        }
    }

    /** The questions that are known before a call of it. */
    public ToolQuestions questions() {
        return kind instanceof Kind.LongRunning longRunning ? longRunning.questions() : ToolQuestions.NONE;
    }

    /** What is wrong with the arguments of a call, and with the answers among them. */
    public Optional<String> problem(Json given) {
        return arguments
                .problem(questions().withoutAnswers(given))
                .or(() -> questions().problem(given));
    }

    /** The tool as it answers this call, whose arguments are good. */
    public ServedTool of(CallTool call) {
        return kind instanceof Kind.LongRunning longRunning
                        && longRunning.which() instanceof Which.Some some
                        && isForServer(call.wish())
                        && !some.isLong().test(call.arguments())
                ? new ServedTool(name, definition, arguments, some.otherwise(), schemas, admission)
                : this;
    }

    /** Whether the server decides if a call with that wish is a task. */
    private static boolean isForServer(TaskWish wish) {
        return switch (wish) {
            case TaskWish.None none -> true;
            case TaskWish.NextPart next -> next.token() == null;
            default -> wish.isFor(TaskWish.Created.BY_SERVER);
        };
    }

    /** How it may be called as a task. */
    public TaskMode mode() {
        return switch (kind) {
            case Kind.Quick quick -> TaskMode.NEVER;
            case Kind.LongRunning longRunning -> longRunning.taskOnly() ? TaskMode.REQUIRED : TaskMode.OPTIONAL;
        };
    }
}

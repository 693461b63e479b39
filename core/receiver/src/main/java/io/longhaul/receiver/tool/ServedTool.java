// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.tool;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
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
 * One tool of a server.
 *
 * @param name       unique on the server
 * @param definition the tool as it is listed, see {@link CallResponse.ToolInfo}
 * @param arguments  checks its arguments
 * @param kind       how its calls are answered
 * @param schemas    other facts from its schemas
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
         * @param handlers give the handler for a call with these arguments
         */
        record Quick(Function<Json, QuickHandler> handlers) implements Kind {}

        /**
         * By a durable task, with the engine's work of the tool's name.
         *
         * @param which     which of its calls are tasks
         * @param keep      how long a finished task is kept where the caller does not say; null for the engine's
         * default
         * @param immediate gives, from the arguments of a call, an array of content that a model may be told meanwhile,
         *     or null; must not throw
         * @param questions that are known before a call
         * @param parts     how callers that take the output part by part are answered
         * @param plain     how calls from hosts without tasks are answered
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

        /** Every call, even where its caller does not know of the task. */
        record Every() implements Which {}

        /** Every call; callers that take no task are refused. */
        record TasksOnly() implements Which {}

        /**
         * Calls whose arguments match, and calls whose callers ask for a task.
         *
         * @param otherwise how all other calls are answered
         */
        record Some(Predicate<Json> isLong, Kind.Quick otherwise) implements Which {}
    }

    /**
     * How a call is answered part by part.
     *
     * @param always whether callers that did not declare this way are answered in it, too
     * @param timeout how long a call waits for the next part; null for the server's default
     * @param life   how long a token is valid, a week at most; null for the server's default
     */
    public record Parts(
            boolean always,
            @Nullable Duration timeout,
            @Nullable Duration life) {
        /** The settings of the server. */
        public static final Parts DEFAULT = new Parts(false, null, null);

        /** How long a token is valid, where the server has this default. */
        public Duration lifeOr(Duration usual) {
            return life == null ? usual : life;
        }
    }

    /**
     * How a call is answered whose host knows no tasks and gives up the call after some time.
     *
     * @param hold     how long the call is held open; null for the server's default
     * @param outlives whether the task goes on when the host gives up the call
     * @param joins    whether a repeated call gets a result that no client has received yet, instead of a task of its
     *     own
     */
    public record Plain(@Nullable Duration hold, boolean outlives, boolean joins) {
        /** The settings of the server. */
        public static final Plain DEFAULT = new Plain(null, true, true);
    }

    /**
     * Facts from the schemas of a tool, in addition to the check of its arguments.
     *
     * @param marked     the input schema where headers repeat some of the arguments, else null
     * @param structured whether the tool promises structured content
     */
    public record Schemas(@Nullable Json marked, boolean structured) {

        private static Schemas of(JsonMembers definition) {
            Json input = definition.get("inputSchema");
            boolean isMarked = input != null && input.toString().contains("x-mcp-header");
            return new Schemas(isMarked ? input : null, definition.has("outputSchema"));
        }
    }

    /** The questions that are known before a call of the tool. */
    public ToolQuestions questions() {
        return kind instanceof Kind.LongRunning longRunning ? longRunning.questions() : ToolQuestions.NONE;
    }

    /** The error in the arguments of a call, and in the answers among them. */
    public Optional<String> problem(Json given) {
        return arguments
                .problem(questions().withoutAnswers(given))
                .or(() -> questions().problem(given));
    }

    /** Whether the tool may be called as a task. */
    public TaskMode mode() {
        return switch (kind) {
            case Kind.Quick quick -> TaskMode.NEVER;
            case Kind.LongRunning longRunning -> longRunning.taskOnly() ? TaskMode.REQUIRED : TaskMode.OPTIONAL;
        };
    }
}

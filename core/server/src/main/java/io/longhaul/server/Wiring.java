// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.question.ToolQuestions;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Kind;
import io.longhaul.receiver.tool.ServedTool.Parts;
import io.longhaul.receiver.tool.ServedTool.Plain;
import io.longhaul.receiver.tool.ServedTool.Which;
import io.longhaul.schema.SchemaCheck;
import io.longhaul.server.internal.schema.Values;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts tools to the types that the receiver serves and the engine runs. */
final class Wiring {

    private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);

    private Wiring() {}

    static ServedTool served(Tool tool, Interceptors interceptors) {
        if (tool.longRunning != null && tool.longRunning.taskOnly && !tool.isListed) {
            LOG.info(
                    "tool {} is closed to clients that know no tasks, which most hosts are: without taskOnly it is"
                            + " open to every host",
                    tool.name);
        }
        var arguments = SchemaCheck.ofArguments(tool.isListed ? "{}" : tool.inputSchema);
        var admission = interceptors.admission(tool);
        return new ServedTool(tool.name, definition(tool), arguments, kind(tool, interceptors), admission);
    }

    /** Throws where {@code added} is false, because there is an item of that name already. */
    static void added(boolean added, String what, String name) {
        if (!added) {
            throw new IllegalArgumentException("two " + what + " '" + name + "': leave one out, or change it");
        }
    }

    /** The work of a long-running tool, under its name and each name that it had before. */
    static Stream<Work> works(Tool tool, CallableTools tools, Interceptors interceptors) {
        var work = work(tool, tools, interceptors);
        var former = Objects.requireNonNull(tool.longRunning).formerly;
        former.stream()
                .filter(name -> tools.tools().find(name).isPresent())
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException("tool '" + tool.name + "' names '" + name
                            + "' in formerly(...), and that is the name of a tool");
                });
        return Stream.concat(Stream.of(work), former.stream().map(work::named));
    }

    /** Refuses options beyond the limits of the server. */
    private static Work work(Tool tool, CallableTools tools, Interceptors interceptors) {
        TaskLimits limits = tools.limits();
        LongRunning options = Objects.requireNonNull(tool.longRunning);
        if (options.keep != null && options.keep.compareTo(limits.longestRetention()) > 0) {
            throw new IllegalArgumentException("tool '" + tool.name + "' has keepFor(" + options.keep
                    + "), and this server keeps no task for longer than " + limits.longestRetention()
                    + ": set a shorter one, or raise TaskLimits.longestRetention");
        }
        Duration kept = options.keep == null ? limits.longestRetention() : options.keep;
        if (options.resumeFor != null && options.resumeFor.compareTo(kept) > 0) {
            throw new IllegalArgumentException("tool '" + tool.name + "' gives resume tokens for " + options.resumeFor
                    + ", and its tasks are kept for no longer than " + kept
                    + ": no token outlives its task, so that resumeFor must not be longer");
        }
        Backend backend = tool.backend == null
                ? new HandlerBackend(tool, questions(tool), handler(tool), new ResultForm(tool), tools, interceptors)
                : new InterceptedBackend(tool.name, questions(tool), checked(tool, tool.backend), tools, interceptors);
        CrashPolicy unsaid = tool.backend == null ? CrashPolicy.FAIL : CrashPolicy.REATTACH;
        CrashPolicy policy = options.crashPolicy == null ? unsaid : options.crashPolicy;
        if (options.suspendAfter != null && policy != CrashPolicy.RESTART) {
            throw new IllegalArgumentException("tool '" + tool.name + "' has suspendAfter, and onCrash(" + policy
                    + "): a suspended task is run again with its answer, so that suspendAfter needs onCrash(RESTART)");
        }
        return new Work(tool.name, backend, policy, options.timeout, options.concurrency, options.suspendAfter);
    }

    private static Backend checked(Tool tool, Backend backend) {
        var filled = tool.isListed ? backend : new FilledBackend(tool, backend);
        return tool.outputSchema == null ? filled : new CheckedBackend(filled, new ResultForm(tool));
    }

    private static Kind kind(Tool tool, Interceptors interceptors) {
        LongRunning options = tool.longRunning;
        if (options == null) {
            return new Kind.Quick(new HandlerTool(tool, handler(tool), new ResultForm(tool), interceptors)::handler);
        }
        return new Kind.LongRunning(
                which(tool, interceptors),
                options.keep,
                ImmediateForm.of(tool, options),
                questions(tool),
                parts(tool, options),
                plain(options));
    }

    private static Which which(Tool tool, Interceptors interceptors) {
        var sometimes = tool.sometimes;
        boolean taskOnly = tool.longRunning != null && tool.longRunning.taskOnly;
        if (sometimes == null) {
            return taskOnly ? new Which.TasksOnly() : new Which.Every();
        }
        if (taskOnly) {
            throw new IllegalArgumentException("tool '" + tool.name + "' answers some calls at once, and is taskOnly,"
                    + " which refuses callers that have no tasks: leave out one of longWhen and taskOnly");
        }
        if (tool.longRunning != null && !tool.longRunning.elicitAsArgument.isEmpty()) {
            throw new IllegalArgumentException("tool '" + tool.name + "' takes answers as arguments, and answers some"
                    + " calls at once, which ask nothing: leave out one of longWhen and elicitAsArgument");
        }
        var otherwise = new HandlerTool(tool, sometimes.otherwise(), new ResultForm(tool), interceptors);
        return new Which.Some(
                arguments -> sometimes.isLong().test(tool.filled(Values.tree(arguments))),
                new Kind.Quick(otherwise::handler));
    }

    /** The questions that the definition of a tool declares. */
    private static ToolQuestions questions(Tool tool) {
        var options = tool.longRunning;
        if (options == null) {
            return ToolQuestions.NONE;
        }
        var asArguments = questions(options.elicitAsArgument);
        Json properties = JsonReader.members(Json.raw(tool.inputSchema)).get("properties");
        for (String key : asArguments.keySet()) {
            if (properties != null && JsonReader.members(properties).has(key)) {
                throw new IllegalArgumentException("tool '" + tool.name + "' has an argument and a question '" + key
                        + "', and the question can become an argument: give one of them another name");
            }
        }
        if (options.taskOnly && !asArguments.isEmpty()) {
            throw new IllegalArgumentException("tool '" + tool.name + "' takes answers as arguments from callers that"
                    + " have no tasks, and is taskOnly, which refuses them: leave out one of the two");
        }
        return new ToolQuestions(questions(options.elicitFirst), options.mayAskFirst, asArguments);
    }

    private static Map<String, Answer.Question> questions(List<ElicitRequest> requests) {
        Map<String, Answer.Question> questions = new LinkedHashMap<>();
        requests.forEach(request -> questions.put(
                String.valueOf(request.key()), CallContext.Ask.of(request).question()));
        return questions;
    }

    private static Plain plain(LongRunning options) {
        return new Plain(
                options.hold, options.whenAbandoned == WhenAbandoned.KEEP, options.whenRepeated == WhenRepeated.JOIN);
    }

    private static Parts parts(Tool tool, LongRunning options) {
        if (options.resumeAlways && tool.outputSchema != null) {
            throw new IllegalArgumentException("tool '" + tool.name + "' always answers part by part, and a part is"
                    + " not what an output schema promises: leave out one of resumeAlways and the output schema");
        }
        if (options.resumeAlways && options.taskOnly) {
            throw new IllegalArgumentException("tool '" + tool.name + "' is resumeAlways, which answers callers that"
                    + " know of no task, and taskOnly, which refuses them: leave out one of the two");
        }
        return new Parts(options.resumeAlways, options.resumeWait, options.resumeFor);
    }

    private static Json definition(Tool tool) {
        var out = new JsonWriter().beginObject().name("name").string(tool.name);
        tool.definition.forEach((word, value) -> out.name(word).raw(Values.json(value)));
        out.name("inputSchema").raw(Json.raw(tool.inputSchema));
        out.optional("outputSchema", tool.outputSchema == null ? null : Json.raw(tool.outputSchema));
        Icon.write(tool.icons, out);
        return out.endObject().toJson();
    }

    /** The handler of a tool; the definition of the tool ensures its kind of context. */
    @SuppressWarnings("unchecked")
    private static <C extends ToolContext> ToolHandler<Object, C, ?> handler(Tool tool) {
        return (ToolHandler<Object, C, ?>) Objects.requireNonNull(tool.handler);
    }
}

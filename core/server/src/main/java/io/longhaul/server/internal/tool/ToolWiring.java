// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.tool;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.receiver.feature.Catalog;
import io.longhaul.receiver.question.ToolQuestions;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Kind;
import io.longhaul.receiver.tool.ServedTool.Which;
import io.longhaul.schema.SchemaCheck;
import io.longhaul.server.Content;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.ToolContext;
import io.longhaul.server.ToolHandler;
import io.longhaul.server.internal.call.Ask;
import io.longhaul.server.internal.call.CallableTools;
import io.longhaul.server.internal.call.Interceptors;
import io.longhaul.server.internal.codec.ContentCodec;
import io.longhaul.server.internal.schema.Values;
import io.longhaul.server.internal.tool.ToolSpec.Lasting;
import io.longhaul.server.internal.tool.ToolSpec.Quick;
import io.longhaul.server.internal.tool.ToolSpec.Worker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts tools to the types that the receiver serves and the engine runs. */
public final class ToolWiring {

    private static final Logger LOG = LoggerFactory.getLogger(ToolWiring.class);

    private ToolWiring() {}

    public static ServedTool served(ToolSpec tool, Interceptors interceptors) {
        boolean isListed = tool.input().isListed();
        if (!isListed
                && tool.calls() instanceof Lasting lasting
                && lasting.options().taskOnly()) {
            LOG.info(
                    "tool {} is closed to clients that know no tasks, which most hosts are: without taskOnly it is"
                            + " open to every host",
                    tool.name());
        }
        var arguments = SchemaCheck.ofArguments(isListed ? "{}" : tool.input().schema());
        var kind = switch (tool.calls()) {
            case Quick(var handler) -> quick(tool, handler, interceptors);
            case Lasting lasting -> longRunning(tool, lasting, interceptors);
        };
        return new ServedTool(
                tool.name(), tool.definition(), arguments, kind, interceptors.admission(tool.name(), tool.scopes()));
    }

    /**
     * The work of a long-running tool, under its name and each name that it had before; none of another tool.
     *
     * @param names  of all tools of the server
     * @param tools  that its handler may call
     * @param limits of the server
     */
    public static Stream<Work> works(
            ToolSpec tool, Set<String> names, Catalog<ServedTool> tools, TaskLimits limits, Interceptors interceptors) {
        if (!(tool.calls() instanceof Lasting lasting)) {
            return Stream.of();
        }
        var work = work(tool, lasting, new CallableTools(tools, limits), interceptors);
        var former = lasting.options().running().formerly();
        former.stream().filter(names::contains).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException(
                    "tool '" + tool.name() + "' names '" + name + "' in formerly(...), and that is the name of a tool");
        });
        return Stream.concat(Stream.of(work), former.stream().map(work::named));
    }

    /** Refuses options beyond the limits of the server. */
    private static Work work(ToolSpec tool, Lasting lasting, CallableTools tools, Interceptors interceptors) {
        TaskLimits limits = tools.limits();
        var options = lasting.options().running();
        if (options.keep() != null && options.keep().compareTo(limits.longestRetention()) > 0) {
            throw new IllegalArgumentException("tool '" + tool.name() + "' has keepFor(" + options.keep()
                    + "), and this server keeps no task for longer than " + limits.longestRetention()
                    + ": set a shorter one, or raise TaskLimits.longestRetention");
        }
        Duration kept = options.keep() == null ? limits.longestRetention() : options.keep();
        Duration life = lasting.options().parts().life();
        if (life != null && life.compareTo(kept) > 0) {
            throw new IllegalArgumentException("tool '" + tool.name() + "' gives resume tokens for " + life
                    + ", and its tasks are kept for no longer than " + kept
                    + ": no token outlives its task, so that resumeFor must not be longer");
        }
        var questions = questions(tool, lasting.options());
        Backend backend = switch (lasting.worker()) {
            case Worker.Code(var handler) ->
                new HandlerBackend(tool, handler, lasting.options(), questions, tools, interceptors);
            case Worker.External(var external) ->
                new ExternalBackend(tool, questions, external.apply(tools), tools, interceptors);
        };
        CrashPolicy unsaid = lasting.worker() instanceof Worker.Code ? CrashPolicy.FAIL : CrashPolicy.REATTACH;
        CrashPolicy policy = options.onCrash() == null ? unsaid : options.onCrash();
        if (options.suspendAfter() != null && policy != CrashPolicy.RESTART) {
            throw new IllegalArgumentException("tool '" + tool.name() + "' has suspendAfter, and onCrash(" + policy
                    + "): a suspended task is run again with its answer, so that suspendAfter needs onCrash(RESTART)");
        }
        int longest = lasting.options().told().longest();
        return new Work(
                tool.name(),
                longest == Integer.MAX_VALUE ? backend : new LongResults(backend, longest),
                policy,
                options.bounds(),
                options.suspendAfter(),
                options.retries().policy());
    }

    private static Kind.Quick quick(
            ToolSpec tool, ToolHandler<Object, ToolContext, ?> handler, Interceptors interceptors) {
        return new Kind.Quick(new HandlerTool(tool, handler, interceptors)::handler);
    }

    private static Kind longRunning(ToolSpec tool, Lasting lasting, Interceptors interceptors) {
        var options = lasting.options();
        refuseContradictions(tool, lasting);
        var sometimes = lasting.sometimes();
        Which which = options.taskOnly() ? new Which.TasksOnly() : new Which.Every();
        if (sometimes != null) {
            which = new Which.Some(
                    arguments -> sometimes.isLong().test(tool.input().filled(Values.tree(arguments))),
                    quick(tool, sometimes.otherwise(), interceptors));
        }
        return new Kind.LongRunning(
                which,
                options.running().keep(),
                immediate(tool, lasting),
                questions(tool, options),
                options.parts(),
                options.plain());
    }

    private static void refuseContradictions(ToolSpec tool, Lasting lasting) {
        var options = lasting.options();
        if (lasting.sometimes() != null && options.taskOnly()) {
            throw new IllegalArgumentException("tool '" + tool.name() + "' answers some calls at once, and is taskOnly,"
                    + " which refuses callers that have no tasks: leave out one of longWhen and taskOnly");
        }
        if (lasting.sometimes() != null && !options.questions().asArguments().isEmpty()) {
            throw new IllegalArgumentException("tool '" + tool.name() + "' takes answers as arguments, and answers some"
                    + " calls at once, which ask nothing: leave out one of longWhen and elicitAsArgument");
        }
        if (options.parts().always() && tool.results().hasSchema()) {
            throw new IllegalArgumentException("tool '" + tool.name() + "' always answers part by part, and a part is"
                    + " not what an output schema promises: leave out one of resumeAlways and the output schema");
        }
        if (options.parts().always() && options.taskOnly()) {
            throw new IllegalArgumentException("tool '" + tool.name() + "' is resumeAlways, which answers callers that"
                    + " know of no task, and taskOnly, which refuses them: leave out one of the two");
        }
    }

    /** Gives the immediate response to a call from its arguments. */
    private static Function<Json, @Nullable Json> immediate(ToolSpec tool, Lasting lasting) {
        var computed = lasting.immediate();
        if (computed != null) {
            return arguments -> computed(tool, computed, arguments);
        }
        String text = lasting.options().told().immediate();
        Json always = text == null ? null : ContentCodec.json(List.of(Content.text(text)));
        return arguments -> always;
    }

    /** Null where the computation fails: the call then goes on without an immediate response. */
    private static @Nullable Json computed(
            ToolSpec tool, Function<Object, @Nullable List<Content>> compute, Json arguments) {
        try {
            var content = compute.apply(tool.input().bound(Values.tree(arguments)));
            return content == null ? null : ContentCodec.json(content);
        } catch (RuntimeException e) {
            LOG.warn("tool {} has no immediate result for a call of it", tool.name(), e);
            return null;
        }
    }

    /** The questions that the definition of a tool declares. */
    private static ToolQuestions questions(ToolSpec tool, TaskOptions options) {
        var asArguments = questions(options.questions().asArguments());
        Json properties = JsonReader.members(Json.raw(tool.input().schema())).get("properties");
        for (String key : asArguments.keySet()) {
            if (properties != null && JsonReader.members(properties).has(key)) {
                throw new IllegalArgumentException("tool '" + tool.name() + "' has an argument and a question '" + key
                        + "', and the question can become an argument: give one of them another name");
            }
        }
        if (options.taskOnly() && !asArguments.isEmpty()) {
            throw new IllegalArgumentException("tool '" + tool.name() + "' takes answers as arguments from callers that"
                    + " have no tasks, and is taskOnly, which refuses them: leave out one of the two");
        }
        return new ToolQuestions(
                questions(options.questions().first()), options.questions().mayAskFirst(), asArguments);
    }

    private static Map<String, CallResponse.Question> questions(List<ElicitRequest> requests) {
        Map<String, CallResponse.Question> questions = new LinkedHashMap<>();
        requests.forEach(request ->
                questions.put(String.valueOf(request.key()), Ask.form(request).question()));
        return questions;
    }
}

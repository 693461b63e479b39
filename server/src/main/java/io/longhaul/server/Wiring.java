package io.longhaul.server;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Kind;
import io.longhaul.receiver.tool.ServedTool.Parts;
import io.longhaul.receiver.tool.ServedTool.Plain;
import io.longhaul.schema.SchemaCheck;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns tools into what the receiver serves and the engine runs. */
final class Wiring {

    private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);

    private Wiring() {}

    static ServedTool served(Tool tool, Interceptors interceptors) {
        if (tool.longRunning != null && tool.longRunning.taskOnly) {
            LOG.info(
                    "tool {} is closed to clients that know no tasks, which most hosts are: without taskOnly,"
                            + " longRunning reaches every host",
                    tool.name);
        }
        var arguments = SchemaCheck.ofArguments(tool.inputSchema);
        var admission = interceptors.admission(tool);
        return new ServedTool(tool.name, definition(tool), arguments, kind(tool, interceptors), admission);
    }

    /** Says that there is one of that name already, where {@code added} is false. */
    static void added(boolean added, String what, String name) {
        if (!added) {
            throw new IllegalArgumentException("two " + what + " '" + name + "': leave one out, or change it");
        }
    }

    /** The work of a long-running tool, whose figures are kept to the letter or refused here. */
    static Work work(Tool tool, TaskLimits limits, Interceptors interceptors) {
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
                ? new HandlerBackend(tool, handler(tool), new ResultForm(tool), interceptors)
                : new InterceptedBackend(tool.name, checked(tool, tool.backend), interceptors);
        CrashPolicy unsaid = tool.backend == null ? CrashPolicy.FAIL : CrashPolicy.REATTACH;
        CrashPolicy policy = options.crashPolicy == null ? unsaid : options.crashPolicy;
        return new Work(tool.name, backend, policy, options.timeout, options.concurrency);
    }

    private static Backend checked(Tool tool, Backend backend) {
        return tool.outputSchema == null ? backend : new CheckedBackend(backend, new ResultForm(tool));
    }

    private static Kind kind(Tool tool, Interceptors interceptors) {
        LongRunning options = tool.longRunning;
        if (options == null) {
            return new Kind.Quick(new HandlerTool(tool, handler(tool), new ResultForm(tool), interceptors)::handler);
        }
        Map<String, Answer.Question> first = new LinkedHashMap<>();
        for (ElicitRequest question : options.elicitFirst) {
            var ask = CallContext.Ask.of(question);
            first.put(String.valueOf(question.key()), ask.question());
        }
        return new Kind.LongRunning(
                options.taskOnly,
                options.keep,
                ImmediateForm.of(tool, options),
                first,
                parts(tool, options),
                plain(options));
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

    /** Of the kind of call that the definition of the tool made sure of. */
    @SuppressWarnings("unchecked")
    private static <C extends ToolContext> ToolHandler<Object, C, ?> handler(Tool tool) {
        return (ToolHandler<Object, C, ?>) Objects.requireNonNull(tool.handler);
    }
}

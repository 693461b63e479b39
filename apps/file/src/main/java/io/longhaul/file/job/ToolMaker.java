// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import io.longhaul.authorization.CallerTokens;
import io.longhaul.backend.http.HttpBackend;
import io.longhaul.backend.shell.ShellBackend;
import io.longhaul.backend.shell.ShellCommand;
import io.longhaul.backend.shell.output.ProgressPattern;
import io.longhaul.backend.temporal.TemporalBackend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.tool.ToolEntry.Mode;
import io.longhaul.file.value.CallValues;
import io.longhaul.file.work.CommandEntry;
import io.longhaul.file.work.HttpEntry;
import io.longhaul.file.work.WorkflowEntry;
import io.longhaul.schema.SchemaCheck;
import io.longhaul.server.Content;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.Icon;
import io.longhaul.server.LongRunning;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolCalls;
import io.longhaul.server.ToolContext;
import io.longhaul.server.ToolDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes tools from the entries of a file. */
public final class ToolMaker {
    private final Backends backends;
    private final Map<String, String> env;
    private final boolean isSealed;
    private final JobCallers callers;
    private final Set<TaskId> quick = ConcurrentHashMap.newKeySet();

    /** The backends that run the jobs of tools. */
    public record Backends(ShellBackend shell, HttpBackend http, TemporalBackend temporal) {}

    /**
     * Makes tools whose jobs run on these backends.
     *
     * @param env      the environment, with secrets
     * @param isSealed whether the store is sealed: the unsealed files of a job are then removed as early as possible
     * @param tokens   of the callers
     */
    public ToolMaker(Backends backends, Map<String, String> env, boolean isSealed, CallerTokens tokens) {
        this.backends = backends;
        this.env = env;
        this.isSealed = isSealed;
        callers = new JobCallers(env, tokens);
    }

    /** Whether {@code id} belongs to a job that runs inside its call now, and that the store does not know. */
    public boolean isRunning(TaskId id) {
        return quick.contains(id);
    }

    public Tool make(ToolEntry entry) {
        var alone = new QuestionedJob(entry, job(entry, ToolMaker::callNone));
        var definition = definition(entry);
        return entry.running().mode() == Mode.QUICK
                ? definition.handler((arguments, call) -> QuickJob.run(alone, entry, arguments, call, quick))
                : sometimes(definition, entry, alone)
                        .longRunning(options -> options(entry, options))
                        .callingBackend(calls -> new QuestionedJob(entry, job(entry, calls)));
    }

    static Run.Call callNone(TaskSpec caller, String tool, Payload arguments) {
        throw new IllegalArgumentException("A quick call calls no tools: make the tool long.");
    }

    private ToolJob job(ToolEntry entry, ToolCalls calls) {
        var results = JobResults.of(entry);
        var keys = entry.questions().stream().map(ToolEntry.Question::key).collect(Collectors.toSet());
        return switch (entry.work()) {
            case CommandEntry command -> {
                var line = command(entry, command, env, isSealed);
                yield new ToolJob(results, true, values -> line.refusal(values.texts()), values -> {
                    var texts = values.texts();
                    return backends.shell().running(line, request -> texts, results, new SaidReader(calls, keys));
                });
            }
            case HttpEntry http -> {
                var job = http.job().apply(env);
                backends.http().admit(job);
                var caller = callers.of(http);
                yield ToolJob.elsewhere(
                        results, values -> backends.http().running(job, request -> values.json(), results, caller));
            }
            case WorkflowEntry workflow -> {
                var job = workflow.job().apply(env);
                yield ToolJob.elsewhere(
                        results,
                        values -> backends.temporal()
                                .running(job, request -> values.json(), results, WorkflowCaller::ask));
            }
        };
    }

    private ToolDefinition<JsonNode, ToolContext, Object> sometimes(
            ToolDefinition<JsonNode, ToolContext, Object> definition, ToolEntry entry, QuestionedJob backend) {
        var longWhen = entry.running().plain().longWhen();
        if (longWhen == null) {
            return definition;
        }
        var isLong = SchemaCheck.of(longWhen.toString());
        return definition.longWhen(
                arguments -> isLong.problem(arguments).isEmpty(),
                (arguments, call) -> QuickJob.run(backend, entry, arguments, call, quick));
    }

    /**
     * Checks an entry by making its tool without the work.
     *
     * @throws IllegalArgumentException where no server would accept the tool
     */
    public static void check(ToolEntry entry) {
        definition(entry).longRunning(options -> options(entry, options));
        entry.command().ifPresent(command -> command(entry, command, Map.of(), false));
    }

    private static ToolDefinition<JsonNode, ToolContext, Object> definition(ToolEntry entry) {
        var definition =
                Tool.define(entry.name()).inputSchema(entry.inputSchema().toString());
        given(entry.label().title(), definition::title);
        given(entry.label().description(), definition::description);
        definition.icons(entry.label().icons().toArray(Icon[]::new));
        entry.label().hints().forEach((hint, is) -> hint(definition, hint, is));
        var immediate = entry.running().plain().immediate();
        if (immediate != null) {
            definition.immediateResult(
                    arguments -> List.of(Content.text(CallValues.of(arguments).fill(immediate))));
        }
        given(entry.schemas().output(), schema -> definition.outputSchema(schema.toString()));
        return definition.scopes(entry.label().scopes().toArray(String[]::new));
    }

    /** Sets one hint. A tool is read-only or idempotent only where declared: these two cannot be set to false. */
    private static void hint(ToolDefinition<?, ?, ?> definition, String hint, boolean is) {
        switch (hint) {
            case "destructive" -> definition.destructive(is);
            case "openWorld" -> definition.openWorld(is);
            case "readOnly" -> when(is, definition::readOnly);
            default -> when(is, definition::idempotent);
        }
    }

    private static <T> void given(@Nullable T value, Consumer<? super T> setter) {
        if (value != null) {
            setter.accept(value);
        }
    }

    private static void when(boolean is, Runnable said) {
        if (is) {
            said.run();
        }
    }

    /** Sets the options of a long tool. A job survives the server, so it is reattached even where it may restart. */
    private static void options(ToolEntry entry, LongRunning options) {
        var durable = entry.running().durable();
        var waiting = entry.running().plain().waiting();
        options.formerly(entry.label().names().formerly().toArray(String[]::new));
        options.onCrash(durable.onCrash() == CrashPolicy.FAIL ? CrashPolicy.FAIL : CrashPolicy.REATTACH)
                .whenAbandoned(waiting.whenAbandoned())
                .whenRepeated(waiting.whenRepeated());
        given(durable.slots().concurrency(), options::concurrency);
        given(durable.slots().rate(), options::rate);
        options.priority(durable.slots().priority());
        if (entry.command().isEmpty()) {
            var retry = entry.output().exits().retry().policy();
            options.retry(retry.count(), retry.backoff());
        }
        entry.questions().stream()
                .filter(ToolEntry.Question::asArgument)
                .map(question -> new ElicitRequest(
                        question.key(),
                        question.message().fill(name -> "{" + name + "}"),
                        question.schema().toString()))
                .forEach(options::elicitAsArgument);
        given(waiting.hold(), options::hold);
        var resume = waiting.resume();
        if (resume.always()) {
            options.resumeAlways();
        }
        given(resume.patience(), options::resumeWait);
        given(resume.life(), options::resumeFor);
        given(durable.timeout(), options::timeout);
        given(durable.slots().idle(), options::idle);
        given(durable.keepFor(), options::keepFor);
        options.resultText((int) Math.min(Integer.MAX_VALUE, entry.output().longest()));
        if (entry.running().mode() == Mode.TASK_ONLY) {
            options.taskOnly();
        }
    }

    private static ShellCommand command(
            ToolEntry entry, CommandEntry command, Map<String, String> env, boolean isSealed) {
        var retry = entry.output().exits().retry();
        // In a folder of its own the command still has its program beside the file.
        var place = command.place();
        boolean isMoved = place.isOwn() && command.program().contains("/");
        var program = isMoved ? place.folder().resolve(command.program()).toString() : command.program();
        var builder = ShellCommand.program(program)
                .directory(place.folder())
                .dashesAllowed(command.dashes())
                .successCodes(entry.output().exits().success())
                .retry(retry.policy(), retry.exitCodes())
                .suspendAfter(entry.output().exits().suspendAfter())
                .raw(entry.output().taken().raw())
                .errorsLogged(entry.output().taken().errorsLogged())
                .restartedWhenLost(entry.running().durable().onCrash() == CrashPolicy.RESTART);
        entry.inputSchema().path("properties").properties().stream()
                .filter(input -> input.getValue().path("type").asString("").equals("array"))
                .forEach(list -> builder.list(list.getKey()));
        for (var arguments : command.arguments()) {
            if (arguments.optional()) {
                builder.optional(arguments.templates().toArray(String[]::new));
            } else {
                arguments.templates().forEach(builder::argument);
            }
        }
        command.environment().fixed().forEach(builder::environment);
        command.environment().secrets().forEach((name, source) -> builder.environment(name, source.in(env)));
        command.environment().inherited().forEach(builder::inherit);
        given(command.stdin(), builder::stdin);
        builder.ownFolder(place.isOwn()).files(place.files());
        entry.output().progress().forEach(regex -> builder.progress(ProgressPattern.of(regex)));
        given(entry.output().taken().encoding(), builder::encoding);
        given(entry.output().partial(), builder::partial);
        builder.saidBehind(entry.output().taken().speech().prefix());
        given(entry.output().maxBytes(), bytes -> builder.outputCap(Math.toIntExact(bytes)));
        if (isSealed) {
            builder.keep(Duration.ZERO);
        }
        return builder.build();
    }
}

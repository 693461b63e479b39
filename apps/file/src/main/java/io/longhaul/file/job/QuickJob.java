// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import io.longhaul.engine.RandomTaskIds;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.run.UnrecordedRun;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.receiver.task.Origin;
import io.longhaul.server.Content;
import io.longhaul.server.McpException;
import io.longhaul.server.ResourceContents;
import io.longhaul.server.ToolContext;
import io.longhaul.server.ToolResult;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the job of a quick tool inside the call, without a task. The job ends with the call, and nothing is stored. */
final class QuickJob extends UnrecordedRun {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final RandomTaskIds IDS = new RandomTaskIds();

    private final ToolContext call;
    private final TaskId id;
    private final TaskSpec spec;
    private @Nullable Payload handle;
    private volatile String logged = "";

    private QuickJob(JsonNode arguments, ToolContext call, String tool) {
        this.call = call;
        var now = Instant.now();
        this.id = IDS.next(now);
        var owner = new Owner(call.caller().principal().name());
        var request = Payload.of(JSON.writeValueAsBytes(arguments));
        this.spec =
                new TaskSpec(owner, tool, request, Origin.ofCall(call.caller()).toPayload(), null, now);
    }

    /**
     * Runs the job, and gives its result; an interrupt stops the job. Meanwhile its id is in {@code running}.
     *
     * @param arguments with their defaults
     */
    static ToolResult run(Backend backend, ToolEntry tool, JsonNode arguments, ToolContext call, Set<TaskId> running)
            throws Exception {
        var job = new QuickJob(arguments, call, tool.name());
        running.add(job.id());
        try {
            return result(backend.run(job));
        } catch (RunException e) {
            return result(e.outcome());
        } catch (InterruptedException e) {
            backend.stop(job);
            throw e;
        } finally {
            running.remove(job.id());
        }
    }

    private static ToolResult result(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Result result -> result(JSON.readTree(result.body().bytes()), result.isError());
            case Outcome.Error error -> throw new McpException(error.code(), error.message());
            case Outcome.Failed failed -> ToolResult.error(failed.message());
            case Outcome.Cancelled cancelled -> ToolResult.error("cancelled");
        };
    }

    private static ToolResult result(JsonNode body, boolean isError) {
        // No task keeps what the other items link to.
        var items = body.path("content")
                .valueStream()
                .filter(item -> item.has("text") || item.has("resource"))
                .map(QuickJob::item)
                .toList();
        return new ToolResult(items, body.get("structuredContent"), isError);
    }

    private static Content item(JsonNode item) {
        var resource = item.path("resource");
        return resource.isObject()
                ? Content.embeddedResource(new ResourceContents.Blob(
                        "urn:longhaul:output",
                        resource.path("mimeType").stringValue(),
                        resource.path("blob").stringValue()))
                : Content.text(item.path("text").stringValue());
    }

    @Override
    public TaskId id() {
        return id;
    }

    @Override
    public TaskSpec spec() {
        return spec;
    }

    @Override
    public boolean isStopping() {
        return call.isCancelled();
    }

    @Override
    public boolean isHandingBack() {
        return false;
    }

    @Override
    public void progress(Progress progress) {
        if (progress.total() == null) {
            call.progress(progress.current(), progress.message());
        } else {
            call.progress(progress.current(), progress.total(), progress.message());
        }
    }

    /** Tells the last line of the output, unless it has just been logged. */
    @Override
    public void status(String message) {
        if (!logged.endsWith(message)) {
            call.log("info", message);
        }
    }

    /** Passes on what {@link JobResults#partial} has written. */
    @Override
    public void log(String level, @Nullable String logger, Payload data) {
        logged = JSON.readTree(data.bytes()).asString("");
        call.log(level, logged);
    }

    @Override
    public void partial(Payload output) {}

    @Override
    public int partialCount() {
        return 0;
    }

    @Override
    public synchronized Optional<Payload> handle() {
        return Optional.ofNullable(handle);
    }

    @Override
    public synchronized void saveHandle(Payload newHandle) {
        handle = newHandle;
    }
}

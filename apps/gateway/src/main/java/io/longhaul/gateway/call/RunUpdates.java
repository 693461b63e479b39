// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.call;

import io.longhaul.client.CallUpdate;
import io.longhaul.client.TaskReference;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.gateway.link.UpstreamServer;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the updates of an upstream's call into the gateway's task. Called by one thread at a time. */
final class RunUpdates implements Consumer<CallUpdate> {

    private static final Logger LOG = LoggerFactory.getLogger(RunUpdates.class);
    private static final String LOGGER = "longhaul.gateway";

    private final Run run;
    private final UpstreamServer upstream;
    private @Nullable ProgressView progress;
    private @Nullable String message;
    private int again;
    private boolean full;

    /** @param again how many pieces of output the call tells again which the task has taken before */
    RunUpdates(Run run, UpstreamServer upstream, int again) {
        this.run = run;
        this.upstream = upstream;
        this.again = again;
    }

    @Override
    public void accept(CallUpdate update) {
        try {
            write(update);
        } catch (StaleRunException e) {
            LOG.debug("task {} is over, and is told nothing more", run.id());
        } catch (RunException e) {
            LOG.warn("task {} takes no more of what {} tells: {}", run.id(), upstream, e.outcome());
        }
    }

    private void write(CallUpdate update) {
        switch (update) {
            case CallUpdate.Created(var reference) -> run.log("debug", LOGGER, nativeTask(reference));
            case CallUpdate.Status status -> {
                if (status.progress() != null && !status.progress().equals(progress)) {
                    progress = status.progress();
                    run.progress(new Progress(progress.current(), progress.total(), progress.message()));
                }
                if (status.message() != null && !Objects.equals(status.message(), message)) {
                    message = status.message();
                    run.status(message);
                }
            }
            case CallUpdate.Part(var result) -> OutputPieces.of(result).forEach(this::piece);
            case CallUpdate.Log log ->
                run.log(
                        log.level(),
                        LogData.logger(log, upstream),
                        Payload.of(LogData.of(log.text()).bytes()));
            case CallUpdate.Trouble(var what) -> LOG.info("task {} at {}: {}", run.id(), upstream, what);
        }
    }

    /** Stores nothing after a piece for which there was no room, so that the number of pieces says which they are. */
    private void piece(Json piece) {
        if (again > 0) {
            again--;
        } else if (!full) {
            try {
                run.partial(Payload.of(piece.bytes()));
            } catch (RuntimeException e) {
                full = true;
                throw e;
            }
        }
    }

    /** The id of the task at the upstream, for readers of the history. */
    private Payload nativeTask(TaskReference reference) {
        var json = JsonTree.object().put("upstream", upstream.name());
        reference.idForVerbs().ifPresent(id -> json.put("task", id));
        return Payload.of(JsonTree.write(json).bytes());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.update;

import io.longhaul.client.CallUpdate;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.Pace;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.RequestorTime;
import io.longhaul.requestor.follow.TaskFollower;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The updates and warnings of one call, into which this class alone translates notices and views of a task. Listeners
 * are told one update at a time, and no more than a person can follow. Thread-safe.
 */
public final class CallFeed implements TaskFollower.Events {

    /** Limit in characters for one log line. */
    static final int LOG_LINE = 16 * 1024;

    /** Limit in bytes for the parts that are kept until there is a listener. */
    static final int UNHEARD_BYTES = 16 << 20;

    /** Limit for the log lines that are kept until there is a listener. */
    static final int UNHEARD_LINES = 64;

    private static final Logger log = LoggerFactory.getLogger(CallFeed.class);

    private final RequestorTime time;
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final Consumer<String> outputs;
    private final Pace logs = Pace.ofLogs();
    private final Pace steps = Pace.ofProgress();

    /** Listeners run under this lock, because they are told one update at a time. */
    private final Guard inOrder = new Guard();

    private final List<Consumer<CallUpdate>> listeners = new ArrayList<>();
    private final List<CallUpdate.Part> unheard = new ArrayList<>();
    private final Deque<CallUpdate.Log> unheardLines = new ArrayDeque<>();
    private CallUpdate.@Nullable Created created;
    private CallUpdate.Status status = new CallUpdate.Status(State.WORKING, null, null);
    private CallUpdate.Status told = status;
    private @Nullable String outputAt;
    private long unheardBytes;
    private boolean logsLeftOut;
    private boolean partsLeftOut;

    /**
     * @param outputs takes the URI of the partial output where somebody listens, perhaps several times; must not block
     */
    public CallFeed(RequestorTime time, Consumer<String> outputs) {
        this.time = time;
        this.outputs = outputs;
    }

    public void listen(Consumer<CallUpdate> fromHost) {
        var listener = guarded(fromHost);
        inOrder.run(() -> {
            listeners.add(listener);
            if (created != null) {
                listener.accept(created);
            }
            unheardLines.forEach(listener);
            unheardLines.clear();
            unheard.forEach(listener);
            unheard.clear();
            unheardBytes = 0;
            listener.accept(status);
            readOutput();
        });
    }

    /** Tells a listener of the host, whose failure does not concern the call: the server works on. */
    private static Consumer<CallUpdate> guarded(Consumer<CallUpdate> listener) {
        return update -> {
            try {
                listener.accept(update);
            } catch (RuntimeException | Error e) {
                log.warn("a listener to the updates of a call failed", e);
            }
        };
    }

    private void outputIsAt(ResourceUris resources) {
        outputAt = resources.output() == null ? outputAt : resources.output();
        readOutput();
    }

    private void readOutput() {
        if (outputAt != null && !listeners.isEmpty()) {
            outputs.accept(outputAt);
        }
    }

    /** Whether there may be output that nobody has named to the listeners, since the end of the task was not seen. */
    boolean mayLackOutput() {
        var live = EnumSet.of(State.SUBMITTED, State.WORKING, State.INPUT_REQUIRED);
        return inOrder.get(() -> outputAt == null && !listeners.isEmpty() && live.contains(status.state()));
    }

    public State state() {
        return inOrder.get(() -> status.state());
    }

    /** Adds a sentence for the user. */
    public void warn(String sentence) {
        warnings.add(sentence);
    }

    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    public void tell(CallUpdate update) {
        inOrder.run(() -> {
            if (update instanceof CallUpdate.Created first) {
                created = first;
            }
            listeners.forEach(listener -> listener.accept(update));
        });
    }

    /** The server goes on with the call, and has given this part of its result. */
    public void part(Json result) {
        var part = new CallUpdate.Part(ClientReader.result(result));
        inOrder.run(() -> {
            if (listeners.isEmpty()) {
                keep(part);
            } else {
                tell(part);
            }
        });
    }

    private void keep(CallUpdate.Part part) {
        unheard.add(part);
        unheardBytes += part.result().size();
        while (unheardBytes > UNHEARD_BYTES && unheard.size() > 1) {
            unheardBytes -= unheard.removeFirst().result().size();
            if (!partsLeftOut) {
                partsLeftOut = true;
                warn("The first parts of the output are left out, since the program did not take them.");
            }
        }
    }

    @Override
    public void trouble(String sentence) {
        tell(new CallUpdate.Trouble(sentence));
    }

    /** A value that the view lacks stays as it was. */
    @Override
    public void seen(TaskView task) {
        var seen = task.status();
        inOrder.run(() -> {
            status = new CallUpdate.Status(
                    seen.state(),
                    seen.progress() == null ? status.progress() : seen.progress(),
                    seen.message() == null ? status.message() : seen.message());
            tellStatus();
            outputIsAt(seen.resources());
        });
    }

    /**
     * Takes log lines without a task id from the call's stream: progress comes by token, and a task's lines by its id.
     */
    public void logged(Notice notice) {
        if (notice instanceof Notice.Log log && log.taskId() == null) {
            noticed(notice);
        }
    }

    @Override
    public void noticed(Notice notice) {
        switch (notice) {
            case Notice.Progress(var token, var progress, var task, var resources) -> {
                inOrder.run(() -> {
                    var message = progress.message() == null ? status.message() : progress.message();
                    status = new CallUpdate.Status(status.state(), progress, message);
                    if (steps.takes(time.now())) {
                        tellStatus();
                    }
                    outputIsAt(resources);
                });
            }
            case Notice.Log(var level, var logger, var data, var task) -> log(level, logger, data.toString());
            default -> {}
        }
    }

    private void log(String level, @Nullable String logger, String text) {
        inOrder.run(() -> {
            if (logs.takes(time.now())) {
                var more = text.length() - LOG_LINE;
                var cut = more <= 0 ? text : text.substring(0, LOG_LINE) + "… (" + more + " characters more)";
                line(new CallUpdate.Log(level, logger, cut));
            } else if (!logsLeftOut) {
                logsLeftOut = true;
                warn("The server logs faster than is told: some of its lines are left out.");
            }
        });
    }

    /** Tells a line, or keeps it among the latest lines: a quick call may log before its caller can listen. */
    private void line(CallUpdate.Log line) {
        if (!listeners.isEmpty()) {
            tell(line);
            return;
        }
        unheardLines.add(line);
        if (unheardLines.size() > UNHEARD_LINES) {
            unheardLines.removeFirst();
        }
    }

    private void tellStatus() {
        if (!status.equals(told)) {
            told = status;
            tell(status);
        }
    }
}

package io.longhaul.client;

import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is known of a call that goes on, told to those who listen, one thing at a time. Thread-safe. */
final class CallFeed {

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Consumer<CallUpdate>> listeners = new ArrayList<>();
    private final List<CallUpdate.Part> unheard = new ArrayList<>();
    private CallUpdate.@Nullable Created created;
    private CallUpdate.Status status = new CallUpdate.Status(State.WORKING, null, null);

    void listen(Consumer<CallUpdate> listener) {
        lock.lock();
        try {
            listeners.add(listener);
            if (created != null) {
                listener.accept(created);
            }
            unheard.forEach(listener);
            unheard.clear();
            listener.accept(status);
        } finally {
            lock.unlock();
        }
    }

    void tell(CallUpdate update) {
        lock.lock();
        try {
            if (update instanceof CallUpdate.Created first) {
                created = first;
            }
            listeners.forEach(listener -> listener.accept(update));
        } finally {
            lock.unlock();
        }
    }

    /** A part of the output. */
    void part(CallUpdate.Part part) {
        lock.lock();
        try {
            if (listeners.isEmpty()) {
                unheard.add(part);
            } else {
                tell(part);
            }
        } finally {
            lock.unlock();
        }
    }

    /** A look at the task. What it does not say stays as it was. */
    void seen(TaskView task) {
        var seen = task.status();
        lock.lock();
        try {
            move(new CallUpdate.Status(
                    seen.state(),
                    seen.progress() == null ? status.progress() : seen.progress(),
                    seen.message() == null ? status.message() : seen.message()));
        } finally {
            lock.unlock();
        }
    }

    void notice(Notice notice) {
        switch (notice) {
            case Notice.Progress(var token, var progress, var task, var resource) -> {
                lock.lock();
                try {
                    var message = progress.message() == null ? status.message() : progress.message();
                    move(new CallUpdate.Status(status.state(), progress, message));
                } finally {
                    lock.unlock();
                }
            }
            case Notice.Log(var level, var logger, var data, var task) ->
                tell(new CallUpdate.Log(level, data.toString()));
            default -> {}
        }
    }

    private void move(CallUpdate.Status next) {
        if (!next.equals(status)) {
            status = next;
            tell(next);
        }
    }
}

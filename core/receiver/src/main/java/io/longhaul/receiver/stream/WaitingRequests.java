// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one session that wait for one task, in the order in which they came. Used under the lock of their
 * delivery.
 */
final class WaitingRequests {

    private final List<WaitingRequest> requests = new ArrayList<>();

    boolean isEmpty() {
        return requests.isEmpty();
    }

    void add(WaitingRequest request) {
        var before = told();
        requests.add(request);
        pass(before);
    }

    /** Removes a request whose client has left. */
    void remove(WaitingRequest request) {
        requests.remove(request);
        pass(request);
    }

    /** What a request has not sent goes where the events go now, and before them. */
    private void pass(@Nullable WaitingRequest from) {
        var next = told();
        if (from != null && next != null && !next.equals(from)) {
            from.passUnsent(next);
        }
    }

    List<WaitingRequest> all() {
        return List.copyOf(requests);
    }

    /**
     * The request that is told what happens, beside the call of the task: the latest with a progress token, else the
     * latest; null where none waits.
     */
    @Nullable
    WaitingRequest told() {
        return requests.stream()
                .reduce((before, later) -> later.token() == null && before.token() != null ? before : later)
                .orElse(null);
    }

    /** Hands on an event; a request that it ends waits no longer. */
    void event(Task now, TaskEvent event) {
        var told = told();
        keep(request -> request.event(now, event, request.isCall() || request.equals(told)));
    }

    /** Hands on a state of the task that has not ended; a request that it ends waits no longer. */
    void current(Task now) {
        keep(request -> request.current(now));
    }

    private void keep(Predicate<WaitingRequest> waitsOn) {
        var before = told();
        all().stream().filter(waitsOn.negate()).forEach(requests::remove);
        pass(before);
    }

    /** Whether each request takes another event. Otherwise {@code later} runs once one that did not has room. */
    boolean haveRoom(Runnable later) {
        var full = requests.stream().filter(request -> !request.hasRoom()).findFirst();
        full.ifPresent(request -> request.whenRoom(later));
        return full.isEmpty();
    }

    void end(Task now, boolean hasNoStream) {
        requests.forEach(request -> request.end(now, hasNoStream));
    }

    void gone() {
        requests.forEach(WaitingRequest::gone);
        requests.clear();
    }
}

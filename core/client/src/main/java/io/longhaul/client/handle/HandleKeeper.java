// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.handle;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.HandleStore;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.RequestorTime;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the handle of one call in the store of the host while the call goes on. Thread-safe. */
public final class HandleKeeper {

    /** How long the handle of a call that has ended is kept without an acknowledgement. */
    private static final Duration ENDED = Duration.ofDays(7);

    private static final Logger log = LoggerFactory.getLogger(HandleKeeper.class);

    private final @Nullable HandleStore store;
    private final RequestorTime time;
    private @Nullable CallHandle handle;

    /**
     * @param store  of the host, or null where the host has none
     * @param handle of the call, or null where no store keeps the call
     */
    public HandleKeeper(@Nullable HandleStore store, RequestorTime time, @Nullable CallHandle handle) {
        this.store = store;
        this.time = time;
        this.handle = handle;
    }

    /** The handles of all calls of one server; unreadable handles stay in the store, and the log names them. */
    public static Stream<CallHandle> all(@Nullable HandleStore store, String server) {
        var all = store == null ? Map.<String, Json>of() : store.all();
        return all.entrySet().stream()
                .filter(entry -> !HandleStoreRows.isOne(entry.getValue()))
                .flatMap(entry -> read(entry.getKey(), entry.getValue()))
                .filter(handle -> handle.origin().server().equals(server));
    }

    private static Stream<CallHandle> read(String id, Json handle) {
        try {
            return Stream.of(CallHandle.parse(handle));
        } catch (RuntimeException e) {
            log.error("the handle {} of a call cannot be read, and its call is not resumed", id, e);
            return Stream.empty();
        }
    }

    /** Keeps the handle as it is; false where the store failed. */
    public boolean keep() {
        return change(known -> known);
    }

    /** @param session in which the server has made the task */
    public void task(String id, Optional<String> session) {
        change(known -> known.withTask(id, session));
    }

    /** Whether a later process may go on with the call. */
    public synchronized boolean isKept() {
        return store != null && handle != null;
    }

    /**
     * Keeps the outcome. A call whose task may go on stays open.
     *
     * @param again whether the call stays open because it may be made again
     */
    public void ended(CallOutcome outcome, boolean again) {
        if (!again && !(outcome instanceof CallOutcome.Failed failed && failed.mayGoOn())) {
            change(known -> known.withOutcome(outcome));
        }
    }

    private synchronized boolean change(UnaryOperator<CallHandle> change) {
        if (store == null || handle == null || !store.keeps(handle.id())) {
            return true;
        }
        handle = change.apply(handle);
        var expiry = handle.outcome() == null ? null : time.now().plus(ENDED);
        try {
            store.put(handle.id(), handle.toJson(), expiry);
            return true;
        } catch (CancellationException e) {
            log.debug("the handle of a call is not wanted any more: {}", e.getMessage());
            return false;
        } catch (RuntimeException e) {
            log.error("the handle of a call was not kept", e);
            return false;
        }
    }

    /** Removes the handle, which the host no longer needs. */
    public synchronized void remove() {
        if (store != null && handle != null) {
            var id = handle.id();
            handle = null;
            try {
                store.remove(id);
            } catch (RuntimeException e) {
                log.error("the handle of a call was not removed, and its call will be resumed", e);
            }
        }
    }
}

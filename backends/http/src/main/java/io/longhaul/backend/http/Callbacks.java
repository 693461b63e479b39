// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.task.TaskId;
import java.net.URI;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Addresses of this server that APIs call when there is something new to see of a job: {@code {task.callback}} in a
 * start. A callback has the next look at its job come sooner and says nothing itself, so that one which is lost, comes
 * twice or was forged does no harm. Thread-safe.
 *
 * <p>Whoever serves HTTP gives what is sent to the paths below {@link #PATH} to {@link #take}.
 */
public final class Callbacks {

    /** What stands before the addresses at the server. */
    public static final String PATH = "/callbacks/";

    private final ServedAddress address;
    private final CallbackKeys keys;
    private final Map<String, Semaphore> awaited = new ConcurrentHashMap<>();
    private volatile Consumer<String> others = job -> {};

    Callbacks(Future<URI> base, CallbackKeys keys) {
        address = new ServedAddress(base);
        this.keys = keys;
    }

    /**
     * Makes addresses of a server.
     *
     * @param base by which APIs reach it; {@link #PATH} comes behind it
     * @param rows of the store that has the tasks, for the key that signs the addresses
     */
    public static Callbacks at(URI base, RowStore rows) {
        return at(CompletableFuture.completedFuture(base), rows);
    }

    /** The same for an address that is known when the server listens; a start that needs it waits as long. */
    public static Callbacks at(Future<URI> base, RowStore rows) {
        return new Callbacks(base, new CallbackKeys(rows, new SecureRandom(), InstantSource.system()));
    }

    /** Has other nodes told which job was called for, where this node does not follow it: they {@link #wake} it. */
    public void onOtherJob(Consumer<String> tell) {
        others = tell;
    }

    /**
     * Takes a callback.
     *
     * @param rest what stands behind {@link #PATH} in the address
     * @return false where this server has made no such address
     */
    public boolean take(String rest) {
        int slash = rest.indexOf('/');
        if (slash < 0 || !keys.isSigned(rest.substring(0, slash), rest.substring(slash + 1))) {
            return false;
        }
        var job = rest.substring(0, slash);
        if (!wake(job)) {
            others.accept(job);
        }
        return true;
    }

    /** Looks at a job soon, where this node follows it; gives whether it does. */
    public boolean wake(String job) {
        var waiting = awaited.get(job);
        if (waiting != null) {
            waiting.release();
        }
        return waiting != null;
    }

    /**
     * The address for one task. It names the key of the task, and not the id: that can be all that protects a task, and
     * is none of the business of an API.
     */
    String address(TaskId task) throws InterruptedException {
        var job = Handle.key(task);
        return address.of(PATH + job + "/" + keys.sign(job)).toString();
    }

    /** What the callbacks of a task give permits to until {@link #forget}. */
    Semaphore await(TaskId task) {
        var waiting = new Semaphore(0);
        awaited.put(Handle.key(task), waiting);
        return waiting;
    }

    void forget(TaskId task, Semaphore waiting) {
        awaited.remove(Handle.key(task), waiting);
    }
}

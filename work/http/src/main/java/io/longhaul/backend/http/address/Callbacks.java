// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.address;

import io.longhaul.backend.http.request.TemplateValues;
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
 * Addresses of this server that APIs call when a job has changed: {@code {task.callback}} in a start. A callback
 * carries no data and only makes the next look at its job come sooner, so that a lost, repeated or forged callback does
 * no harm. Thread-safe.
 *
 * <p>The HTTP server passes requests to paths below {@link #PATH} to {@link #take}.
 */
public final class Callbacks {

    /** The path prefix of the addresses at the server. */
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
     * @param base the address by which APIs reach the server; {@link #PATH} is appended
     * @param rows the rows of the store of the tasks, for the keys that sign the addresses
     */
    public static Callbacks at(URI base, RowStore rows) {
        return at(CompletableFuture.completedFuture(base), rows);
    }

    /**
     * Makes addresses of a server whose address is known once it listens; a start that needs the address waits until
     * then.
     */
    public static Callbacks at(Future<URI> base, RowStore rows) {
        return new Callbacks(base, new CallbackKeys(rows, new SecureRandom(), InstantSource.system()));
    }

    /**
     * Sets how other nodes are notified of a callback for a job that this node does not follow; they call
     * {@link #wake}.
     */
    public void onOtherJob(Consumer<String> tell) {
        others = tell;
    }

    /**
     * Takes a callback.
     *
     * @param rest the part of the address after {@link #PATH}
     * @return false where this server did not make the address
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

    /** Looks at a job soon if this node follows the job; else returns false. */
    public boolean wake(String job) {
        var waiting = awaited.get(job);
        if (waiting != null) {
            waiting.release();
        }
        return waiting != null;
    }

    /**
     * The address for one task. The address contains the idempotency key of the task instead of its id: the id may be
     * the only protection of a task, and an API must not learn it.
     */
    public String address(TaskId task) throws InterruptedException {
        var job = TemplateValues.key(task);
        return address.of(PATH + job + "/" + keys.sign(job)).toString();
    }

    /** The semaphore that gets a permit from each callback of a task until {@link #forget}. */
    public Semaphore await(TaskId task) {
        var waiting = new Semaphore(0);
        awaited.put(TemplateValues.key(task), waiting);
        return waiting;
    }

    public void forget(TaskId task, Semaphore waiting) {
        awaited.remove(TemplateValues.key(task), waiting);
    }
}

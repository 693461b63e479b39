// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.transition.Command;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Counts the pieces of partial output of a task over all its attempts, and checks whether another piece fits. Work that
 * begins anew after a crash may give the pieces of the attempt before once more: the work does not go forward by them.
 */
final class PartialOutput {

    private final EngineContext parts;
    private final TaskId task;
    /** The hash codes of the pieces that this attempt has found. */
    private final Set<Integer> earlier = new HashSet<>();

    private final ReentrantLock lock = new ReentrantLock();
    private boolean known;
    private int count;
    private long bytes;

    /** @param isFirst whether there can be no pieces yet */
    PartialOutput(EngineContext parts, TaskId task, boolean isFirst) {
        this.parts = parts;
        this.task = task;
        known = isFirst;
    }

    int count() {
        lock.lock();
        try {
            recall();
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Stores a piece where it fits. */
    void add(Payload piece, Consumer<Command> store) {
        check("A piece of partial output", piece);
        TaskLimits limits = parts.limits();
        lock.lock();
        try {
            recall();
            if (bytes + piece.size() > limits.outputBytes()) {
                throw RunException.internal(
                        "The task may have " + limits.outputBytes() + " bytes of partial output in all," + " and has "
                                + bytes + ": there is no room for a piece of " + piece.size() + ".");
            }
            store.accept(new Command.Record(new EventDetail.Emitted(piece), !earlier.contains(piece.hashCode())));
            count++;
            bytes += piece.size();
        } catch (StoreException e) {
            // It is not known whether the piece is stored: the next call counts the history again.
            known = false;
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Refuses a payload that is too large for one message to a client. */
    void check(String what, Payload payload) {
        int most = parts.limits().pieceBytes();
        if (payload.size() > most) {
            throw RunException.internal(
                    what + " may have " + most + " bytes, and this one has " + payload.size() + ".");
        }
    }

    private void recall() {
        if (!known) {
            count = 0;
            bytes = 0;
            Replay.emitted(parts.store(), task, piece -> {
                count++;
                bytes += piece.size();
                earlier.add(piece.hashCode());
            });
            known = true;
        }
    }
}

package io.longhaul.receiver.session;

import io.longhaul.protocol.rpc.RequestId;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Requests of one session that were given up before they came: over HTTP one message may overtake another. The last
 * ones are remembered, as are the last that are over, which cannot be given up any more. Thread-safe.
 */
final class EarlyCancellations {

    private static final int MOST = 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<RequestId> givenUp = new LinkedHashSet<>();
    private final Set<RequestId> over = new LinkedHashSet<>();

    /** The request is given up as soon as it comes, unless it has come and is over. */
    void giveUp(RequestId id) {
        lock.lock();
        try {
            if (!over.contains(id)) {
                put(givenUp, id);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The request has come. True where it was given up before. */
    boolean comes(RequestId id) {
        lock.lock();
        try {
            over.remove(id);
            return givenUp.remove(id);
        } finally {
            lock.unlock();
        }
    }

    void isOver(RequestId id) {
        lock.lock();
        try {
            givenUp.remove(id);
            put(over, id);
        } finally {
            lock.unlock();
        }
    }

    private static void put(Set<RequestId> ids, RequestId id) {
        ids.remove(id);
        ids.add(id);
        if (ids.size() > MOST) {
            Iterator<RequestId> oldest = ids.iterator();
            oldest.next();
            oldest.remove();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.BoundedMap;
import io.longhaul.receiver.session.Session;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The deliveries of one session: at most one for each task. */
final class SessionDeliveries implements Session.Part {

    /** The number of deliveries waiting for a stream that a session remembers at least: the newest ones. */
    static final int REMEMBERED = 100;

    private static final int ENDED = 1_000;

    final Map<TaskId, Delivery> all = new ConcurrentHashMap<>();

    /** Tasks whose end the client was told of. */
    final Set<TaskId> ended = Collections.synchronizedSet(Collections.newSetFromMap(BoundedMap.byInsertion(ENDED)));

    /** Since when the session has no open stream, or had none when it last had none. */
    volatile Instant quietSince = Instant.MAX;

    /** The earliest end that no stream here has brought before the streams went elsewhere. */
    volatile Instant untoldSince = Instant.MAX;

    /** The number of deliveries at which the session looks for those that it can forget. */
    volatile int many = 2 * REMEMBERED;

    static SessionDeliveries of(Session session) {
        return session.part(SessionDeliveries.class, SessionDeliveries::new);
    }

    /** Of several streams that are found to be gone, the last one counts. */
    synchronized void isQuietSince(Instant gone) {
        if (quietSince.equals(Instant.MAX) || gone.isAfter(quietSince)) {
            quietSince = gone;
        }
    }

    /** Another node has told the client what happened, up to this time. */
    void toldElsewhere(Instant until) {
        quietSince = until;
        ended.clear();
    }

    @Override
    public void close() {
        all.values().forEach(Delivery::close);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.testkit.talk.Talk;
import java.util.function.Function;

/** A generation: a column of the table. */
enum Tongue {
    PLAIN("plain", PlainCaller::new),
    HAND_OVER("hand-over", HandOverCaller::new),
    STATELESS_TASKS("tasks 2026-07-28", StatelessTasksCaller::new),
    HANDSHAKE_TASKS("tasks 2025-11-25", HandshakeTasksCaller::new),
    REQUESTOR_TASKS("sep-1686", RequestorTasksCaller::new),
    OPERATIONS("sep-1391", OperationsCaller::new),
    ASYNC_TOOLS("tools/async", AsyncToolsCaller::new),
    RESUME_TOKENS("sep-1003", ResumeTokensCaller::inSession),
    STATELESS_RESUME_TOKENS("sep-1003 in 2026-07-28", StatelessResumeTokensCaller::new);

    private final String title;
    /** A constructor or a factory, always. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<Talk, Caller> opened;

    Tongue(String title, Function<Talk, Caller> opened) {
        this.title = title;
        this.opened = opened;
    }

    /** A client that has opened a session of its own, where there are sessions. */
    Caller caller(Place place, String subject) {
        return caller(place.way(), subject).at(place);
    }

    /** The same to servers that are other processes. */
    Caller caller(Way way, String subject) {
        return opened.apply(new Talk(way.wire(subject)));
    }

    @Override
    public String toString() {
        return title;
    }
}

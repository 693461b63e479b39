// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.RecordedExchange;
import io.longhaul.testkit.ThreadsContract;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/** A stored session, whatever threads look for it, keep what has changed of it, and end it. */
public class SessionsThreadsTest extends ThreadsContract {

    private static final ReceiverParts PARTS = new ReceiverParts();
    private static final RecordedExchange MESSAGE = new RecordedExchange(ReceiverParts.ANN);

    private final Sessions sessions = new Sessions(PARTS.context, id -> false);
    private final Session session = ReceiverParts.session(PARTS.context.newId(), ReceiverParts.ANN);
    private volatile boolean hasEnded;

    public SessionsThreadsTest() {
        // As a process that has not seen the session since its start.
        var earlier = new Sessions(PARTS.context, id -> false);
        session.client(Json.raw("{}"));
        earlier.store(session);
        earlier.close();
    }

    @Operation
    public boolean find() {
        return sessions.find(session.id(), MESSAGE).isPresent();
    }

    @Operation
    public void store() {
        sessions.store(session);
    }

    @Operation
    public void hold() {
        sessions.hold(session);
    }

    @Operation
    public void end() {
        sessions.end(session);
        hasEnded = true;
    }

    @Validate
    public void a_session_that_has_ended_is_gone() {
        require(!hasEnded || !find(), "a session was brought back");
        require(
                !hasEnded
                        || PARTS.context
                                .engine()
                                .rows()
                                .get("session", session.id(), PARTS.time.now())
                                .isEmpty(),
                "its row was");
        sessions.close();
    }
}

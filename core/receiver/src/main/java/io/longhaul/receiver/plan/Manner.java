// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

import io.longhaul.protocol.dialect.Dialect;
import org.jspecify.annotations.Nullable;

/**
 * How the receiver deals with the clients of one dialect. {@link Planner#manner} decides all of it.
 *
 * @param dialect         encodes what a client is told
 * @param inSession       whether a request belongs to a session, whose client is asked by requests of the server
 * @param streamEnd       what the end of a response's stream means
 * @param telling         where a client is told of its tasks
 * @param cancelledByCall whether the task of an answered call is cancelled by the cancellation of that call
 * @param aliases         the space of the task ids that requestors choose, or null where requestors choose none
 */
public record Manner(
        Dialect dialect,
        boolean inSession,
        StreamEnd streamEnd,
        Telling telling,
        boolean cancelledByCall,
        @Nullable String aliases) {

    /**
     * What becomes of a call that its client leaves.
     *
     * @param comesBack whether the client can come back to the call over another connection
     * @param outlives  as {@link Leaving}
     */
    public Leaving leaving(boolean comesBack, boolean outlives) {
        return new Leaving(streamEnd == StreamEnd.CANCELS && !comesBack, outlives, () -> false);
    }

    /** The name of the dialect, which is stored with tasks. */
    public String name() {
        return dialect.name();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

/**
 * When a result counts as received by a client that knows no tasks. Before, the same call joins the task where no other
 * request waits for it; from then on, the same call runs anew. A result counts as received right before it is written:
 * a server that dies in between has the same call run again, and never gives an old result to a client that has read
 * it.
 */
public enum Receipt {
    /** A request waits for the result. */
    AWAITED,
    /** No request waits for the result, and none has it. */
    OPEN,
    /** The result goes out to the request, or has gone out. */
    GIVEN,
    /** The result went out to another request. */
    RECEIVED;

    /** What happens to a request that waits, or to its result. */
    public enum Event {
        /** The result is about to be written. */
        RESULT,
        /** Another answer is about to be written, such as the name of the task. */
        OTHER_ANSWER,
        /** The client has left the request. */
        LEFT,
        /** The result could not be written, or is found to be lost with others of its batch. */
        NOT_WRITTEN,
        /** The same client makes the same call again. */
        SAME_CALL
    }

    public Receipt after(Event event) {
        return switch (event) {
            case RESULT -> this == RECEIVED ? RECEIVED : GIVEN;
            case OTHER_ANSWER, LEFT -> this == AWAITED ? OPEN : this;
            case NOT_WRITTEN -> this == GIVEN ? OPEN : this;
            case SAME_CALL -> this == OPEN ? AWAITED : this;
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a call, and of its task, when the client leaves the call. Where a task itself is cancelled, it ends;
 * where a session, a connection or the server ends, it goes on.
 *
 * @param byClosing    whether a client that closes the response has left the call for good
 * @param outlives     whether the task goes on where a timeout of the host ends the call, rather than a person
 * @param isAboutLimit whether a host that leaves the call now has probably reached its timeout
 */
public record Leaving(boolean byClosing, boolean outlives, BooleanSupplier isAboutLimit) {

    /** The client of a request that creates nothing, or that can come back, has not left when its stream ends. */
    public static final Leaving NOTHING = new Leaving(false, false, () -> false);

    /** Reasons of cancellations by a timeout or a lost connection, not a person; docs/HOSTS.md lists them by client. */
    private static final Pattern TIMED_OUT = Pattern.compile(
            "timed?[ -]?out|deadline|no response or progress|connection (was )?(closed|ended|lost)|disconnected",
            Pattern.CASE_INSENSITIVE);

    /** Reasons of clients that give the same reason for a timeout and for a cancellation by the user. */
    private static final Pattern EITHER = Pattern.compile("^AbortError|^$", Pattern.CASE_INSENSITIVE);

    /** This value, for a host whose timeout is known better. */
    public Leaving atLimit(BooleanSupplier isReached) {
        return new Leaving(byClosing, outlives, isReached);
    }

    /** The client cancels the request. Where its reason does not tell why, the moment does. */
    public Left cancelled(@Nullable String reason) {
        String said = reason == null ? "" : reason;
        boolean isTimeout =
                TIMED_OUT.matcher(said).find() || EITHER.matcher(said).find() && isAboutLimit.getAsBoolean();
        return outlives && isTimeout ? Left.TIMED_OUT : Left.CANCELLED;
    }

    /**
     * The client closes the response.
     *
     * @param isUnnoticed whether it may have done so long before
     */
    public Left closed(boolean isUnnoticed) {
        if (!byClosing) {
            return Left.STOPPED;
        }
        return outlives && !isUnnoticed && isAboutLimit.getAsBoolean() ? Left.TIMED_OUT : Left.CANCELLED;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A call did not end with the result of its tool; {@link #failure()} tells how it ended. */
public final class CallFailedException extends McpClientException {

    private static final long serialVersionUID = 1L;

    private final transient CallOutcome.Failed failure;

    public CallFailedException(CallOutcome.Failed failure, @Nullable Throwable cause) {
        super(failure.reason(), cause);
        this.failure = failure;
    }

    /** How the call failed. */
    public CallOutcome.Failed failure() {
        return Objects.requireNonNull(failure, "an exception that was serialized has its message alone");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.protocol.call.Call;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CarriedState;
import org.jspecify.annotations.Nullable;

/** Calls that only one draft, or one kind of host, knows. Thread-safe. */
public interface DraftCalls {

    /** Whether a call is answered here, in place of the core. */
    boolean handles(Call call);

    /**
     * Answers such a call. Blocks until the call is answered.
     *
     * @param carried what the client brought from an earlier round, or null in the first
     */
    void answer(InboundRequest request, Call call, @Nullable CarriedState carried) throws Exception;
}

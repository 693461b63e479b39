// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.rpc.RpcError;
import org.jspecify.annotations.Nullable;

/** The dialect in which a message is read, or the reason why it is not read. */
public sealed interface Selection {

    /**
     * The message is read in {@code dialect}.
     *
     * @param client the client's description of itself on this message; null where the session has it
     */
    record Use(Dialect dialect, @Nullable ClientProfile client) implements Selection {}

    /** The message belongs to a session, and came without one. */
    record NeedsSession() implements Selection {}

    /** The message is refused. */
    record Refuse(RpcError error, int httpStatus) implements Selection {}
}

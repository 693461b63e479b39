// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.rpc.RpcError;
import org.jspecify.annotations.Nullable;

/** In which dialect a message is to be read, or why it is not read at all. */
public sealed interface Selection {

    /**
     * Read it in {@code dialect}.
     *
     * @param client what the client said of itself on this message; null where the session knows
     */
    record Use(Dialect dialect, @Nullable ClientProfile client) implements Selection {}

    /** It belongs to a session, and came without one. */
    record NeedsSession() implements Selection {}

    /** Do not read it. */
    record Refuse(RpcError error, int httpStatus) implements Selection {}
}

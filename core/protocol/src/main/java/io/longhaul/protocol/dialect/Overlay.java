// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Riding;
import io.longhaul.protocol.call.CallResponse.ServerProfile;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonMembers;
import java.util.Optional;

/**
 * A generation or an extension that applies to single messages in sessions of other generations, for both sides.
 * Immutable and thread-safe.
 */
public interface Overlay {

    /** Whether the message is of this generation. */
    boolean claims(Envelope message);

    /** Whether the overlay applies only in sessions, and never to requests that stand alone. */
    default boolean needsSession() {
        return true;
    }

    /** The dialect of the overlay, which forwards everything else to the dialect of the session. */
    Dialect over(Dialect session, Revision version);

    /** The capabilities of the overlay that a server announces in sessions and requests of a version. */
    default Riding announced(ServerProfile server, Revision version) {
        return Riding.NONE;
    }

    /** A tool as it is listed for all clients of a session, whether or not they know this generation. */
    default ToolInfo listed(ToolInfo tool) {
        return tool;
    }

    /** Encodes a call of a client with the words of {@code own}; empty where the call is not of this overlay. */
    default Optional<Outgoing> encode(Call call, ClientProfile me, ClientDialect own) {
        return Optional.empty();
    }

    /** Reads the result of a call of a client with {@code own}; empty where it is not of this overlay. */
    default Optional<CallResponse> decode(Call call, Json result, ClientDialect own) throws UnusableMessageException {
        return Optional.empty();
    }

    /**
     * The parts of a message that the choice of its dialect depends on.
     *
     * @param version of its session
     * @param client  the capabilities of its client, as declared when the session was opened
     * @param method  of the message
     * @param params  of the message
     * @param meta    {@code _meta} of the params, empty where there is none
     */
    record Envelope(Revision version, Capabilities client, String method, JsonMembers params, JsonMembers meta) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Answer.ServerProfile;
import io.longhaul.protocol.call.Answer.ToolInfo;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonMembers;
import java.util.Map;

/** A generation that is spoken in single messages of the sessions of others. Immutable and thread-safe. */
public interface Overlay {

    /** Whether the message is in its words. */
    boolean claims(Envelope message);

    /** Whether it is spoken in sessions only, and never in requests that stand alone. */
    default boolean needsSession() {
        return true;
    }

    /** Its dialect, which leaves to that of the session all that is not its own. */
    Dialect over(Dialect session, Revision version);

    /** What a server announces of it when a session is opened: capabilities by their names. */
    Map<String, Json> capabilities(ServerProfile server, Revision version);

    /** What a server announces of it among what is experimental, by its names. */
    default Map<String, Json> experimental(ServerProfile server) {
        return Map.of();
    }

    /** What a server announces of it among its extensions, by their ids. */
    default Map<String, Json> extensions(ServerProfile server) {
        return Map.of();
    }

    /** A tool as the clients of a session see it listed, whether they know of this generation or not. */
    ToolInfo listed(ToolInfo tool);

    /**
     * What is known of a message before its dialect is.
     *
     * @param version of its session
     * @param client  what its client can do, as it said when the session was opened
     * @param method  of the message
     * @param params  of the message
     * @param meta    {@code _meta} of the params, empty where there is none
     */
    record Envelope(Revision version, Capabilities client, String method, JsonMembers params, JsonMembers meta) {}
}

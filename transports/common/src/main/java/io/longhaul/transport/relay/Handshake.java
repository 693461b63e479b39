// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.relay;

import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The handshake and settings of a host with its server, which a relay repeats with the next server. For one thread at a
 * time.
 */
final class Handshake {

    static final String INITIALIZE = "initialize";
    static final String INITIALIZED = "notifications/initialized";
    static final String SET_LEVEL = "logging/setLevel";
    private static final String OWN = "io.longhaul/window-";

    private @Nullable Json initialize;
    private @Nullable Json level;
    private byte @Nullable [] initialized;
    private boolean takesBatches;
    private long ids;

    /** Notes that a request of the host was answered with a result. */
    void answered(HostRequest request, Json result) {
        switch (request.method) {
            case INITIALIZE -> {
                initialize = request.params;
                takesBatches = version(result)
                        .map(Generation::revision)
                        .filter(revision -> revision.has(Capability.BATCHES))
                        .isPresent();
            }
            case SET_LEVEL -> level = request.params;
            default -> {
                // Other requests settle nothing.
            }
        }
    }

    private static Optional<Generation> version(Json result) {
        return Optional.ofNullable(JsonReader.members(result).get("protocolVersion"))
                .filter(version -> version.kind() == Json.Kind.STRING)
                .flatMap(version -> Generation.of(JsonReader.text(version)));
    }

    /** Whether several messages may come in one array. */
    boolean takesBatches() {
        return takesBatches;
    }

    void initialized(byte[] line) {
        initialized = line;
    }

    /** The lines that repeat the handshake with another server. */
    List<byte[]> replay() {
        var lines = new ArrayList<byte[]>();
        if (initialize != null) {
            lines.add(own(INITIALIZE, initialize));
            if (initialized != null) {
                lines.add(initialized);
            }
            if (level != null) {
                lines.add(own(SET_LEVEL, level));
            }
        }
        return lines;
    }

    private byte[] own(String method, Json params) {
        return JsonRpcCodec.encode(new JsonRpcMessage.Request(new RequestId.Text(OWN + ++ids), method, params))
                .bytes();
    }
}

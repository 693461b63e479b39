// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a client awaits of requests and streams that bring no messages any more. */
final class ModelEndings {

    private final Map<ModelWire, Integer> statuses = new LinkedHashMap<>();
    private final List<ModelWire> streams = new ArrayList<>();

    /** A request is answered with a status alone. */
    void await(ModelWire request, int status) {
        statuses.put(request, status);
    }

    /** A stream is of a session that has ended. */
    void awaitEnd(ModelWire stream) {
        streams.add(stream);
    }

    void clear() {
        statuses.clear();
        streams.clear();
    }

    /** All is at rest. */
    void check(ModelClient client) {
        statuses.forEach((wire, status) ->
                client.hold(wire.status() == status, () -> wire.status() + " was answered in place of " + status));
        streams.forEach(wire -> {
            while (wire.read().isPresent()) {
                client.world.rest();
            }
            client.hold(wire.isEnded(), () -> "a stream of a session that has ended goes on");
        });
        clear();
    }
}

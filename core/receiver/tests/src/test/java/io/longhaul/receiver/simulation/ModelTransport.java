// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.testkit.SeededScheduler;
import io.longhaul.testkit.SeededScheduler.Group;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** HTTP without bytes on any wire, for clients that a seed drives: each request has a thread of the server's group. */
final class ModelTransport {

    static final Principal ALICE = new Principal("alice", Principal.Kind.AUTHORIZED);

    private final SeededScheduler scheduler;
    private final Group group;
    private final MemoryTransport memory = new MemoryTransport();

    ModelTransport(SeededScheduler scheduler, Group group) {
        this.scheduler = scheduler;
        this.group = group;
    }

    ModelWire post(Map<String, String> headers, String message) {
        var wire = new ModelWire(scheduler, group, headers);
        group.start(
                "post",
                () -> memory.endpoint()
                        .accept(message.getBytes(StandardCharsets.UTF_8), wire)
                        .run());
        return wire;
    }

    ModelWire get(Map<String, String> headers) {
        var wire = new ModelWire(scheduler, group, headers);
        group.start("get", () -> memory.endpoint().listen(wire));
        return wire;
    }

    ModelWire delete(Map<String, String> headers) {
        var wire = new ModelWire(scheduler, group, headers);
        group.start("delete", () -> memory.endpoint().leave(wire));
        return wire;
    }

    /** What the server serves on. */
    ServerTransport memory() {
        return memory;
    }
}

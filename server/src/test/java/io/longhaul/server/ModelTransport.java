package io.longhaul.server;

import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.server.SeededScheduler.Group;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** HTTP without bytes on any wire, for clients that a seed drives: each request has a thread of the server's group. */
final class ModelTransport implements ServerTransport {

    static final Principal ALICE = new Principal("alice", Principal.Kind.AUTHORIZED);

    private final SeededScheduler scheduler;
    private final Group group;
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Endpoint endpoint;

    ModelTransport(SeededScheduler scheduler, Group group) {
        this.scheduler = scheduler;
        this.group = group;
    }

    ModelWire post(Map<String, String> headers, String message) {
        var wire = new ModelWire(scheduler, group, headers);
        group.start(
                "post",
                () -> served().accept(message.getBytes(StandardCharsets.UTF_8), wire)
                        .run());
        return wire;
    }

    ModelWire get(Map<String, String> headers) {
        var wire = new ModelWire(scheduler, group, headers);
        group.start("get", () -> served().listen(wire));
        return wire;
    }

    private Endpoint served() {
        if (endpoint == null) {
            throw new IllegalStateException("the server has not started");
        }
        return endpoint;
    }

    @Override
    public void start(Endpoint served) {
        endpoint = served;
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    @Override
    public void close() {
        ended.countDown();
    }
}

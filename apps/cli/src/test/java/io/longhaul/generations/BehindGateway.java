// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.gateway.Gateway;
import io.longhaul.gateway.Upstream;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A gateway. The works are those of a server behind it, to which the gateway speaks one generation. */
final class BehindGateway implements Place {

    private final FakeTime time = new FakeTime();
    private final PlaceTime running;
    private final List<ServerEvent> events = new CopyOnWriteArrayList<>();
    private final Way way = new MemoryWay();
    private final Works works = new Works();
    private final McpServer behind;
    private final Gateway gateway;
    private final McpServer server;

    BehindGateway(Generation generation, boolean movesByItself) {
        running = new PlaceTime(time, movesByItself);
        var http = Http.onPort(0);
        var made = McpServer.builder("works", "1.0").store(new MemoryTaskStore());
        works.tools().forEach(made::tool);
        behind = made.serve(http);
        var upstream = Upstream.at("works", http.url())
                .generation(generation)
                .longTools(works.tools().stream().map(Tool::name).toArray(String[]::new));
        gateway = Gateway.to(new MemoryTaskStore(), upstream);
        // Some callers name their calls: as a host whose deployer knows it, they are answered like the others.
        var hold = PlainHosts.Host.holding(PlainHosts.DEFAULT.hold());
        var front = McpServer.builder("gateway", "1.0").time(time).plainHosts(PlainHosts.DEFAULT.with("t", hold));
        front.observer(events::add);
        server = gateway.serve(front, way.transports().getFirst());
        try {
            gateway.awaitUpstreams(Duration.ofMinutes(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Way way() {
        return way;
    }

    @Override
    public boolean isBehindGateway() {
        return true;
    }

    @Override
    public Works works() {
        return works;
    }

    @Override
    public List<ServerEvent> events() {
        return List.copyOf(events);
    }

    @Override
    public void pass(Duration duration) {
        time.advance(duration);
    }

    @Override
    public void passWhenAwaited(Duration duration) {
        running.passWhenAwaited(duration);
    }

    @Override
    public Place kill() {
        throw new UnsupportedOperationException("GatewayKillTest kills gateways");
    }

    @Override
    public void close() {
        server.close();
        gateway.close();
        running.close();
        behind.close();
    }
}

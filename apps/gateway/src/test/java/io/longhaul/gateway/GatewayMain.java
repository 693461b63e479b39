// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.nio.file.Path;

/**
 * A gateway in a process of its own: its store, its port and the address of the server behind it. The gateway speaks to
 * that server in each generation, and puts the name of the generation before the tools it has by it.
 */
final class GatewayMain {

    private GatewayMain() {}

    public static void main(String[] args) throws InterruptedException {
        var behind = URI.create(args[2]);
        var upstreams = ClientDialects.spoken().stream()
                .map(generation -> Upstream.at(generation.label(), behind)
                        .generation(generation)
                        .prefix(generation.label() + "_")
                        .longTools("job"))
                .toArray(Upstream[]::new);
        var front = Front.of(Path.of(args[0]), Http.onPort(Integer.parseInt(args[1])), upstreams);
        System.out.println(front.address());
        front.server().awaitEnd();
    }
}

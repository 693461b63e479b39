// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.transport.http.Http;
import java.net.URI;
import java.nio.file.Path;

/** A gateway in a process of its own: its store, its port and the address of the server behind it. */
final class GatewayMain {

    private GatewayMain() {}

    public static void main(String[] args) throws InterruptedException {
        var front = Front.of(
                Path.of(args[0]), Http.onPort(Integer.parseInt(args[1])), Upstream.at("tests", URI.create(args[2])));
        System.out.println(front.address());
        front.server().awaitEnd();
    }
}

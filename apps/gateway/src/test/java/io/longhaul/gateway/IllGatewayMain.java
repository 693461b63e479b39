// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.transport.http.Http;
import java.nio.file.Path;

/** A gateway in a process of its own, before a server that it starts: its folder, and its port. */
final class IllGatewayMain {

    private IllGatewayMain() {}

    public static void main(String[] args) throws InterruptedException {
        var folder = Path.of(args[0]);
        var front = Front.of(
                folder.resolve("gateway.db"),
                Http.onPort(Integer.parseInt(args[1])),
                IllMain.upstream(folder, "well").longTools("work"));
        System.out.println(front.address());
        front.server().awaitEnd();
    }
}

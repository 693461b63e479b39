// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.database;

import io.longhaul.bench.http.MeasuredServer;

/** A {@link MeasuredServer} that is one node among others. */
final class ServedNode {

    private ServedNode() {}

    /** @param args {@code tools}, the name of the node, the address of the schema */
    public static void main(String[] args) throws Exception {
        MeasuredServer.run(args, (server, name) -> server.node(name.toString()).store(BenchDatabase.store(args[2])));
    }
}

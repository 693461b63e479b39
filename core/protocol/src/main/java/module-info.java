// SPDX-License-Identifier: Apache-2.0
/** JSON-RPC, the messages of MCP, and a dialect for each generation of long-running calls. */
@SuppressWarnings("module") // The modules that qualified exports name are built later.
module io.longhaul.protocol {
    requires static transitive org.jspecify;
    requires transitive tools.jackson.core;
    requires transitive tools.jackson.databind;

    exports io.longhaul.protocol;
    exports io.longhaul.protocol.call;
    exports io.longhaul.protocol.dialect;
    exports io.longhaul.protocol.json;
    exports io.longhaul.protocol.rpc;
    exports io.longhaul.protocol.transport;
    exports io.longhaul.protocol.transport.client;
    exports io.longhaul.protocol.dialect.words to
            io.longhaul.client,
            io.longhaul.file,
            io.longhaul.gateway,
            io.longhaul.receiver,
            io.longhaul.requestor,
            io.longhaul.server,
            io.longhaul.transport;
}

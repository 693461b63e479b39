// SPDX-License-Identifier: Apache-2.0
/** Serves what other MCP servers offer. Begin at {@link io.longhaul.gateway.Gateway}. */
@SuppressWarnings("module") // The module that the qualified export names is built later.
module io.longhaul.gateway {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.client;
    requires transitive io.longhaul.server;
    requires org.slf4j;

    exports io.longhaul.gateway;
    exports io.longhaul.gateway.caller to
            io.longhaul.file;
    exports io.longhaul.gateway.limit;
}

// SPDX-License-Identifier: Apache-2.0
/** The API for programs that call tools of MCP servers. Begin at {@link io.longhaul.client.McpClient}. */
module io.longhaul.client {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.requestor;
    requires transitive io.longhaul.transport;
    requires io.longhaul.schema;
    requires org.slf4j;
    requires static io.longhaul.store.jdbc;

    exports io.longhaul.client;
    exports io.longhaul.client.tasks;
}

// SPDX-License-Identifier: Apache-2.0
/** The API for people who call tools of MCP servers: {@link io.longhaul.client.McpClient} is where it begins. */
module io.longhaul.client {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.requestor;
    requires transitive io.longhaul.transport;
    requires io.longhaul.schema;
    requires org.slf4j;

    exports io.longhaul.client;
}

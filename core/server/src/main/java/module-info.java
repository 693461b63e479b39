// SPDX-License-Identifier: Apache-2.0
/** The API for people who write MCP servers: begin with {@link io.longhaul.server.McpServerBuilder}. */
@SuppressWarnings("requires-automatic") // The name that bucket4j declares in its manifest.
module io.longhaul.server {
    requires static transitive org.jspecify;
    requires transitive com.fasterxml.jackson.annotation;
    requires transitive io.longhaul.receiver;
    requires transitive io.longhaul.transport;
    requires io.github.bucket4j.core;
    requires io.longhaul.schema;
    requires org.slf4j;

    exports io.longhaul.server;
    exports io.longhaul.server.annotation;
}

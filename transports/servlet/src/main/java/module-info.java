// SPDX-License-Identifier: Apache-2.0
/** MCP over Streamable HTTP in a servlet container. */
module io.longhaul.transport.servlet {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.protocol;
    requires transitive jakarta.servlet;
    requires io.longhaul.transport;
    requires org.slf4j;

    exports io.longhaul.transport.servlet;
}

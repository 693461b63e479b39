// SPDX-License-Identifier: Apache-2.0
/** The HTTP server of MCP, over HTTP/1.1. */
module io.longhaul.transport.http {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.protocol;
    requires io.longhaul.transport;
    requires jdk.management;
    requires org.slf4j;

    exports io.longhaul.transport.http;
}

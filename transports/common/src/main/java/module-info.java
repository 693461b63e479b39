// SPDX-License-Identifier: Apache-2.0
/** Transports over stdio, server-sent events and the HTTP client of the JDK. */
@SuppressWarnings("module") // The modules that qualified exports name are built later.
module io.longhaul.transport {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.protocol;
    requires transitive java.net.http;
    requires jdk.net;
    requires org.slf4j;

    exports io.longhaul.transport;
    exports io.longhaul.transport.streamable to
            io.longhaul.transport.http,
            io.longhaul.transport.servlet;
    exports io.longhaul.transport.streamable.request to
            io.longhaul.transport.http,
            io.longhaul.transport.servlet;
    exports io.longhaul.transport.streamable.stream to
            io.longhaul.transport.http,
            io.longhaul.transport.servlet;
}

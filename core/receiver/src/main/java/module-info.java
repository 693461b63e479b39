// SPDX-License-Identifier: Apache-2.0
/** The layer between MCP and the engine: turns requests into tasks and answers. */
@SuppressWarnings("module") // The modules that qualified exports name are built later.
module io.longhaul.receiver {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.engine;
    requires transitive io.longhaul.protocol;
    requires io.longhaul.schema;
    requires org.slf4j;

    exports io.longhaul.receiver;
    exports io.longhaul.receiver.observe;
    exports io.longhaul.receiver.admit to
            io.longhaul.server;
    exports io.longhaul.receiver.ext to
            io.longhaul.server;
    exports io.longhaul.receiver.feature to
            io.longhaul.gateway,
            io.longhaul.server;
    exports io.longhaul.receiver.question to
            io.longhaul.file,
            io.longhaul.gateway,
            io.longhaul.server;
    exports io.longhaul.receiver.session to
            io.longhaul.server;
    exports io.longhaul.receiver.task to
            io.longhaul.console,
            io.longhaul.file,
            io.longhaul.gateway,
            io.longhaul.observe,
            io.longhaul.server;
    exports io.longhaul.receiver.tool to
            io.longhaul.server;
}

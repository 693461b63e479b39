// SPDX-License-Identifier: Apache-2.0
/** Durable tasks: states, the interfaces of stores and backends, limits, the engine itself. */
@SuppressWarnings("module") // The modules that qualified exports name are built later.
module io.longhaul.engine {
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.longhaul.engine;
    exports io.longhaul.engine.history;
    exports io.longhaul.engine.run;
    exports io.longhaul.engine.secret;
    exports io.longhaul.engine.store;
    exports io.longhaul.engine.task;
    exports io.longhaul.engine.durable to
            io.longhaul.server,
            io.longhaul.store.contract;
}

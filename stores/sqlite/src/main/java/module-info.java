// SPDX-License-Identifier: Apache-2.0
/** Tasks, and the handles of a client's calls, in SQLite. */
@SuppressWarnings("module") // The module that sees what stores have in common is built later.
module io.longhaul.store.jdbc {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.engine;
    requires java.sql;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;

    exports io.longhaul.store.jdbc;
    exports io.longhaul.store.jdbc.codec to
            io.longhaul.store.postgres;
    exports io.longhaul.store.jdbc.sql to
            io.longhaul.store.postgres;
}

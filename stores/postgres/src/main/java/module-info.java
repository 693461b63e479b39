// SPDX-License-Identifier: Apache-2.0
/** Tasks in a PostgreSQL database. */
@SuppressWarnings("requires-automatic") // The name of the jar of Flyway, which declares none.
module io.longhaul.store.postgres {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.engine;
    requires transitive io.longhaul.store.jdbc;
    requires transitive java.sql;
    requires com.zaxxer.hikari;
    requires flyway.core;
    requires org.postgresql.jdbc;
    requires org.slf4j;

    exports io.longhaul.store.postgres;
}

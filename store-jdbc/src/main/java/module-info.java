/** Tasks, and the handles of a client's calls, in SQLite. */
module io.longhaul.store.jdbc {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.engine;
    requires java.sql;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;

    exports io.longhaul.store.jdbc;
}

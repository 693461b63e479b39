// SPDX-License-Identifier: Apache-2.0
/** What a client keeps of its calls, in SQLite. */
module io.longhaul.client.tasks {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.client;
    requires transitive io.longhaul.store.jdbc;

    exports io.longhaul.client.tasks;
}

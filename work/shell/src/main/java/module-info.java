// SPDX-License-Identifier: Apache-2.0
/** Runs commands that outlive the server. */
module io.longhaul.backend.shell {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.engine;
    requires org.slf4j;

    exports io.longhaul.backend.shell;
}

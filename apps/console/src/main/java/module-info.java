// SPDX-License-Identifier: Apache-2.0
/** Web pages that show and operate the tasks of a server: {@link io.longhaul.console.Console}. */
module io.longhaul.console {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.server;

    exports io.longhaul.console;
}

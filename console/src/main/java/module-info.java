// SPDX-License-Identifier: Apache-2.0
/** Pages on which a person sees and operates the tasks of a server: {@link io.longhaul.console.Console}. */
module io.longhaul.console {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.server;

    exports io.longhaul.console;
}

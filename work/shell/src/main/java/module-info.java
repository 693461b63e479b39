// SPDX-License-Identifier: Apache-2.0
/** Runs commands that outlive the server. */
@SuppressWarnings("module") // The module that the qualified export names is built later.
module io.longhaul.backend.shell {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.engine;
    requires org.slf4j;

    exports io.longhaul.backend.shell;
    exports io.longhaul.backend.shell.command to
            io.longhaul.file;
    exports io.longhaul.backend.shell.output;
    exports io.longhaul.backend.shell.said;
}

// SPDX-License-Identifier: Apache-2.0
/** Sends requests of any generation, follows their tasks, and answers questions. */
@SuppressWarnings("module") // The module that sees machinery is built later.
module io.longhaul.requestor {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.protocol;
    requires org.slf4j;

    exports io.longhaul.requestor;
    exports io.longhaul.requestor.call to
            io.longhaul.client;
    exports io.longhaul.requestor.connect to
            io.longhaul.client;
    exports io.longhaul.requestor.follow to
            io.longhaul.client;
    exports io.longhaul.requestor.plan to
            io.longhaul.client;
    exports io.longhaul.requestor.question to
            io.longhaul.client;
}

// SPDX-License-Identifier: Apache-2.0
/** Fakes for tests: time, stores, a transport in memory, a faulty network, an authorization server. */
module io.longhaul.fakes {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.engine;
    requires transitive io.longhaul.protocol;
    requires java.net.http;
    requires jdk.httpserver;
    requires org.slf4j;

    exports io.longhaul.fakes;
}

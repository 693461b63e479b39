// SPDX-License-Identifier: Apache-2.0
/** Tests of your own tools: begin with {@link io.longhaul.test.LonghaulExtension}. */
module io.longhaul.test {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.client;
    requires transitive io.longhaul.server;
    requires transitive org.assertj.core;
    requires transitive org.junit.jupiter.api;
    requires io.longhaul.fakes;
    requires io.longhaul.schema;

    exports io.longhaul.test;
}

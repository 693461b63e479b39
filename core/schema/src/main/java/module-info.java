// SPDX-License-Identifier: Apache-2.0
/** Checks of JSON Schema with a limited number of steps. */
module io.longhaul.schema {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.protocol;
    requires com.networknt.schema;
    requires org.slf4j;

    exports io.longhaul.schema;
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

/** Where the big pieces of one task are read from. */
@FunctionalInterface
interface PartSource {

    /** The piece of that name; a missing one is a {@link io.longhaul.engine.store.StoreException}. */
    byte[] read(String name);
}

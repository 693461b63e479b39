// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.codec;

/** Reads the large payloads of one task. */
@FunctionalInterface
public interface PartSource {

    /** The payload of that name; a missing payload is a {@link io.longhaul.engine.store.StoreException}. */
    byte[] read(String name);
}

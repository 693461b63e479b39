// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

/** A transport that only the local user can reach. */
public interface LocalTransport extends ServerTransport {

    @Override
    default boolean isLocal() {
        return true;
    }
}

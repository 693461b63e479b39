// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

/** A transport that only the local user reaches. */
public interface LocalTransport extends ServerTransport {

    @Override
    default boolean isLocal() {
        return true;
    }
}

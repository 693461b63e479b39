// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

/** A lasting connection that is its own stream to the other side. */
public interface StreamConnection extends Connection, EventStream {

    @Override
    default EventStream outlet() {
        return this;
    }
}

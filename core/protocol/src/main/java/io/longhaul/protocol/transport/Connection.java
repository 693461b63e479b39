// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

/** A lasting two-way connection, such as stdio, on which everything shares one channel. */
public interface Connection {

    /** The id of the connection, unique in this process. */
    String id();

    /** The stream to the other side, open as long as the connection. */
    EventStream outlet();
}

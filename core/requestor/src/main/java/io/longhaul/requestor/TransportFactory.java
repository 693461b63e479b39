// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.TransportException;

/** Opens a transport to one server: once over HTTP, and again each time a lasting connection's program has ended. */
@FunctionalInterface
public interface TransportFactory {
    ClientTransport open() throws TransportException;
}

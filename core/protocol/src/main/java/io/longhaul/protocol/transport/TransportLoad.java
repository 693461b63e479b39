// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

/**
 * The open connections and streams of a transport at one moment.
 *
 * @param connections of clients
 * @param streams     of events, each on one of the connections
 */
public record TransportLoad(int connections, int streams) {

    /** A transport that has nothing open, or counts nothing. */
    public static final TransportLoad NONE = new TransportLoad(0, 0);

    /** The sum of both loads. */
    public TransportLoad and(TransportLoad other) {
        return new TransportLoad(connections + other.connections, streams + other.streams);
    }
}

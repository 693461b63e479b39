// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.testkit.ThreadsContract;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/** Two places for three connections, whatever threads accept them, read their requests, and end them. */
@Param(name = "connection", gen = IntGen.class, conf = "0:2")
public class ConnectionLimitThreadsTest extends ThreadsContract {

    private static final int MOST = 2;

    private final ConnectionLimit places = new ConnectionLimit(MOST, MOST);
    private final List<Client> clients =
            IntStream.rangeClosed(0, MOST).mapToObj(number -> new Client()).toList();

    public ConnectionLimitThreadsTest() {
        accept(0);
        accept(1);
    }

    /** A connection in memory. */
    static final class Client implements Wire {
        final HttpConnection connection = new HttpConnection(this, null, null, null);
        volatile boolean isServed;
        volatile boolean isClosed;

        @Override
        public int read(ByteBuffer into) {
            return -1;
        }

        @Override
        public void write(ByteBuffer bytes) {}

        @Override
        public void shutdownOutput() {}

        @Override
        public void close() {
            isClosed = true;
        }

        @Override
        public void reset() {
            close();
        }

        @Override
        public InetAddress address() {
            return InetAddress.getLoopbackAddress();
        }
    }

    @Operation
    public void accept(@Param(name = "connection") int number) {
        places.take(clients.get(number).connection);
    }

    /** Its request was read. */
    @Operation
    public void serve(@Param(name = "connection") int number) {
        var client = clients.get(number);
        try {
            client.connection.requestRead();
            client.isServed = true;
        } catch (IOException e) {
            // It was cut before.
        }
    }

    @Operation
    public void leave(@Param(name = "connection") int number) {
        places.leave(clients.get(number).connection);
    }

    @Validate
    public void a_request_that_is_served_keeps_its_connection_and_no_place_is_lost() {
        for (var client : clients) {
            require(!client.isServed || !client.isClosed, "a connection was cut under its request");
        }
        require(places.count() <= MOST, places.count() + " places are taken");
        clients.forEach(client -> places.leave(client.connection));
        for (int place = 0; place < MOST; place++) {
            require(places.take(new Client().connection), "a place was lost");
        }
    }
}

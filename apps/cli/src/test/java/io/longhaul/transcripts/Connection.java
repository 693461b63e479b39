// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transcripts;

import io.longhaul.fakes.MemoryConnection;
import java.util.List;

/** A lasting connection, as over standard input and output: one message a line. */
final class Connection implements Wire {

    private final MemoryConnection connection;

    Connection(MemoryConnection connection) {
        this.connection = connection;
    }

    void send(String message) {
        connection.send(message);
    }

    @Override
    public String next(String expected) {
        return connection.next();
    }

    @Override
    public List<String> unread() {
        return connection.isQuiet() ? List.of() : List.of(connection.next());
    }

    @Override
    public void close() {
        connection.close();
    }
}

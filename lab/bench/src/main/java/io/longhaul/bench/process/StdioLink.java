// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.process;

import io.longhaul.bench.run.ChildProcess;
import io.longhaul.protocol.dialect.Generation;
import java.io.IOException;

/** Speaks to a server over its standard input and output. */
final class StdioLink {

    private static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
            + "\"protocolVersion\":\"" + Generation.V2025_11_25.version() + "\",\"capabilities\":{},"
            + "\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}";
    private static final String INITIALIZED = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    private static final String CALL =
            "\"method\":\"tools/call\",\"params\":{\"name\":\"echo\"," + "\"arguments\":{\"word\":\"hello, world\"}}}";

    private StdioLink() {}

    static void initialize(ChildProcess server) throws IOException {
        check(server.ask(INITIALIZE), "\"serverInfo\"");
        server.tell(INITIALIZED);
    }

    /** Calls the echo, and waits for its answer. */
    static void call(ChildProcess server, long id) throws IOException {
        check(server.ask("{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + CALL), "hello, world");
    }

    /** As {@link #call}, where the server tells of the call before it answers. */
    static void await(ChildProcess server, long id) throws IOException {
        server.tell("{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + CALL);
        var line = server.line();
        while (!line.contains("\"result\"") && !line.contains("\"error\"")) {
            line = server.line();
        }
        check(line, "hello, world");
    }

    private static void check(String answer, String expected) throws IOException {
        if (!answer.contains(expected)) {
            throw new IOException("a request was answered with " + answer);
        }
    }
}

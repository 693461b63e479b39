// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import io.longhaul.transport.StandardStreams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * The standard streams of a server that a host has started. Where an earlier start of the same server has answered the
 * same first request, the host gets that answer before the server is ready. The server still reads the request, and its
 * own answer is compared with the one that was sent. Where the two differ, the streams end.
 */
public final class HostStreams {
    private final FirstExchange exchange;
    private final HostInput in;
    private final HostOutput out;

    HostStreams(FirstExchange exchange, InputStream in, OutputStream out) {
        this.exchange = exchange;
        this.in = new HostInput(exchange, in);
        this.out = new HostOutput(exchange, out);
    }

    /**
     * Takes the streams of this process, and begins to read.
     *
     * @param data  the data folder, which need not exist
     * @param tools the file of tools
     * @param line  the words of the command line
     */
    public static HostStreams standard(Path data, Path tools, List<String> line) {
        var streams = StandardStreams.take();
        var in = streams.in();
        var out = streams.out();
        var exchange = new FirstExchange(data, tools, line);
        // A host usually sends its request before the JVM is up. It is answered before other work needs the processors.
        if (hasSpoken(in)) {
            exchange.open(in, out);
        } else {
            Thread.ofPlatform().daemon().name("host-first").start(() -> exchange.open(in, out));
        }
        return new HostStreams(exchange, in, out);
    }

    private static boolean hasSpoken(InputStream in) {
        try {
            return in.available() > 0;
        } catch (IOException e) {
            // The next reader gets the same error.
            return false;
        }
    }

    public InputStream in() {
        return in;
    }

    public OutputStream out() {
        return out;
    }

    /** Learns nothing: another process answers this host from now on, so its answer does not describe this server. */
    public void relayed() {
        exchange.learnNothing();
    }

    /** Learns nothing and removes known handshakes: the data folder is sealed, and the file of handshakes is not. */
    public void sealed() {
        exchange.learnNothing();
        exchange.forget();
    }

    /**
     * Checks, after the server has ended, that the host got the right answer.
     *
     * @throws IOException with a sentence for the user where the host got an answer that differs from the server's
     */
    public void verify() throws IOException {
        if (exchange.isRefuted()) {
            throw new IOException("the host was answered from memory, and this server answers otherwise now. That is"
                    + " forgotten: let the host start this server again.");
        }
    }
}

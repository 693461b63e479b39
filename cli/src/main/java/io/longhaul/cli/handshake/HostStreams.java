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
 * same first request, the host has that answer before there is a server: the server reads the request all the same,
 * and its own answer is compared with the one that was sent. Where the two differ, the streams end.
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
     * @param data  the data folder, which need not be there
     * @param tools the file of tools
     * @param line  the words of the command line
     */
    public static HostStreams standard(Path data, Path tools, List<String> line) {
        var streams = StandardStreams.take();
        var in = streams.in();
        var out = streams.out();
        var exchange = new FirstExchange(data, tools, line);
        // A host has spoken before a JVM is there: it is answered before anything else wants the processors.
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
            // Whoever reads next is told the same.
            return false;
        }
    }

    /** What the host says. */
    public InputStream in() {
        return in;
    }

    /** What is said to the host. */
    public OutputStream out() {
        return out;
    }

    /** Another process answers this host from here on: its answer says nothing of this server. */
    public void relayed() {
        exchange.learnNothing();
    }

    /** What is kept of hosts is sealed, and so nothing of their handshakes is kept. */
    public void sealed() {
        exchange.learnNothing();
        exchange.forget();
    }

    /**
     * Called when the server has ended.
     *
     * @throws IOException with a sentence for the user where the host was given another answer than the server's
     */
    public void verify() throws IOException {
        if (exchange.isRefuted()) {
            throw new IOException("the host was answered from memory, and this server answers otherwise now. That is"
                    + " forgotten: let the host start this server again.");
        }
    }
}

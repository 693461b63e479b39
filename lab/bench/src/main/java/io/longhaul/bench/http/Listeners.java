// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Connections, each of which listens to a task. For one thread. */
final class Listeners implements AutoCloseable {

    private final URI server;
    private final Selector selector = Selector.open();
    private final List<HttpLink> links = new ArrayList<>();
    private final ByteBuffer arrived = ByteBuffer.allocateDirect(1 << 16);

    Listeners(URI server) throws IOException {
        this.server = server;
    }

    /** Opens a number of connections, and waits until each was acknowledged. */
    void open(int count, String task) throws IOException {
        for (var i = 0; i < count; i++) {
            var link = new HttpLink(server);
            links.add(link);
            link.send(link.bytes(Era.STATELESS, Step.listen(), task));
            link.register(selector, link);
        }
        await("notifications/subscriptions/acknowledged");
    }

    /** Waits until each connection got this text, and gives the {@link System#nanoTime} of the last one. */
    long await(String text) throws IOException {
        var wanted = text.getBytes(StandardCharsets.US_ASCII);
        var told = new int[1];
        try {
            while (told[0] < links.size()) {
                selector.select(key -> told[0] += take(key, wanted));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return System.nanoTime();
    }

    private int take(SelectionKey key, byte[] wanted) {
        var link = (HttpLink) key.attachment();
        try {
            link.read(arrived);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!link.response().contains(wanted)) {
            return 0;
        }
        link.check(new byte[0]);
        link.response().forget();
        return 1;
    }

    @Override
    public void close() throws IOException {
        for (var link : links) {
            link.close();
        }
        selector.close();
    }
}

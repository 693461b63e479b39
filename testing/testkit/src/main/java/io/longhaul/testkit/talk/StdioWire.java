// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.talk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** A client over standard input and output: one message on each line. */
public final class StdioWire extends ClientWire {

    private final OutputStream out;

    /** @param in what the server writes */
    public StdioWire(InputStream in, OutputStream out) {
        this.out = out;
        var lines = new BufferedReader(new InputStreamReader(in, UTF_8));
        Thread.ofPlatform().daemon().start(() -> read(lines));
    }

    private void read(BufferedReader lines) {
        try {
            lines.lines().forEach(line -> came(Messages.read(line)));
        } catch (UncheckedIOException e) {
            // The server has broken off.
        }
        ended(ALL);
    }

    @Override
    public void send(String message) {
        try {
            out.write((message + "\n").getBytes(UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void giveUp(int request) {
        send(Messages.notification("notifications/cancelled", "{\"requestId\":" + request + "}"));
    }

    @Override
    void goOnAfter(ClientWire before) {
        throw new UnsupportedOperationException("a connection ends with its server");
    }

    @Override
    void reread(ClientWire other, int request) {
        throw new UnsupportedOperationException("nothing is read twice from a pipe");
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The output to the host, without an answer that the host has already. The first line of the server that is no
 * notification is its answer to the first line of the host. For one thread.
 */
final class HostOutput extends OutputStream {
    private static final byte[] NOTIFICATION = "{\"jsonrpc\":\"2.0\",\"method\":".getBytes(StandardCharsets.US_ASCII);

    private final FirstExchange exchange;
    private final OutputStream out;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean answered;

    HostOutput(FirstExchange exchange, OutputStream out) {
        this.exchange = exchange;
        this.out = out;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        for (int end = offset + length; !answered && at < end; at++) {
            if (bytes[at] == '\n') {
                take(line.toByteArray());
                line.reset();
            } else {
                line.write(bytes[at]);
            }
        }
        out.write(bytes, at, offset + length - at);
    }

    private void take(byte[] text) throws IOException {
        boolean isNotification = Arrays.mismatch(text, NOTIFICATION) >= NOTIFICATION.length;
        answered = !isNotification;
        if (isNotification || exchange.compare(text)) {
            out.write(text);
            out.write('\n');
        }
        if (exchange.isRefuted()) {
            throw new IOException("the host was answered otherwise");
        }
        if (answered) {
            out.flush();
            exchange.learn(text);
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}

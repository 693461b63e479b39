// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The output to the host, without an answer that the host has already. The first line of the server that is no
 * notification is its answer to the first line of the host. For one thread.
 */
final class HostOutput extends FilterOutputStream {
    private static final String NOTIFICATION = "{\"jsonrpc\":\"2.0\",\"method\":";

    private final HostStreams host;
    private final StringBuilder line = new StringBuilder();
    private boolean answered;

    HostOutput(HostStreams host, OutputStream out) {
        super(out);
        this.host = host;
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
                take(line.toString());
                line.setLength(0);
            } else {
                line.append((char) (bytes[at] & 0xff));
            }
        }
        out.write(bytes, at, offset + length - at);
    }

    private void take(String text) throws IOException {
        answered = !text.startsWith(NOTIFICATION);
        if (!answered || host.compare(text)) {
            out.write((text + "\n").getBytes(ISO_8859_1));
        }
        if (host.isRefuted()) {
            throw new IOException("the host was answered otherwise");
        }
        if (answered) {
            out.flush();
            host.learn(text);
        }
    }
}

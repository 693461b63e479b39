// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * The input from the host, from its first line on. Where that line was answered from memory, the server gets no second
 * line before it has answered the first. So the server's first answer belongs to the first line. For one thread.
 */
final class HostInput extends InputStream {
    private final FirstExchange exchange;
    private final InputStream in;
    private int given;

    HostInput(FirstExchange exchange, InputStream in) {
        this.exchange = exchange;
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        var read = exchange.read();
        int first = exchange.firstLine();
        if (given >= first) {
            exchange.awaitAnswer();
        }
        if (exchange.isRefuted()) {
            return -1;
        }
        if (given == read.length) {
            return in.read(bytes, offset, length);
        }
        int most = (given < first ? first : read.length) - given;
        int count = Math.min(most, length);
        System.arraycopy(read, given, bytes, offset, count);
        given += count;
        return count;
    }
}

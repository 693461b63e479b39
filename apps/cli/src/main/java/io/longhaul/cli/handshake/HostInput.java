// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import java.io.IOException;
import java.io.InputStream;

/**
 * The input from the host, from its first line on. Where that line was answered from memory, the server gets no second
 * line before it has answered the first. So the server's first answer belongs to the first line. For one thread.
 */
final class HostInput extends InputStream {
    private final HostStreams host;

    HostInput(HostStreams host) {
        this.host = host;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int count = host.line().read(bytes, offset, length);
        return count < 0 ? host.rest().read(bytes, offset, length) : count;
    }
}

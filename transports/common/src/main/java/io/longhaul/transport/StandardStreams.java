// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The streams between this process and the host that started it.
 *
 * @param in  standard input
 * @param out standard output, without a buffer
 */
public record StandardStreams(InputStream in, OutputStream out) {

    /**
     * Reserves the streams for messages: from now on {@code System.out} is {@code System.err}, so that nothing but the
     * protocol reaches the host.
     */
    public static StandardStreams take() {
        var out = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        return new StandardStreams(System.in, out);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.talk;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;

/** Standard input and output of a server in this process, and its only client. */
public final class StdioPipes {

    private final Pipe in = pipe();
    private final Pipe out = pipe();

    private static Pipe pipe() {
        try {
            return Pipe.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public InputStream serverInput() {
        return Channels.newInputStream(in.source());
    }

    public OutputStream serverOutput() {
        return Channels.newOutputStream(out.sink());
    }

    public StdioWire client() {
        return new StdioWire(Channels.newInputStream(out.source()), Channels.newOutputStream(in.sink()));
    }
}

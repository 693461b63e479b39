// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.codec;

import io.longhaul.engine.task.Progress;

/** Writes and reads progress. */
final class ProgressCodec {
    private ProgressCodec() {}

    static void write(ByteWriter out, Progress progress) {
        out.real(progress.current());
        var total = progress.total();
        out.flag(total != null);
        if (total != null) {
            out.real(total);
        }
        out.textOrNull(progress.message());
    }

    static Progress read(ByteReader in) {
        return new Progress(in.real(), in.flag() ? (Double) in.real() : null, in.textOrNull());
    }
}

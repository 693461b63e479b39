// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.line;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.rpc.AnsweredIds;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits a stream of bytes into lines, whatever their encoding. A line over the limit is skipped to its end without
 * being stored. For one thread.
 */
public final class LineReader {

    /** The result of a read. */
    public sealed interface Line {
        /** A line without its end, never blank. */
        record Text(byte... bytes) implements Line {}

        /**
         * A line over the limit, already skipped.
         *
         * @param answered the requests that the line would have answered
         */
        record TooLong(List<RequestId> answered) implements Line {}

        /** The end of the stream. */
        record End() implements Line {}
    }

    private static final int CHUNK = 16 * 1024;

    private final InputStream in;
    private final int limit;
    private final byte[] chunk = new byte[CHUNK];
    private int start;
    private int end;
    private byte[] kept = new byte[0];
    private int keptLength;
    private @Nullable AnsweredIds skipped;

    public LineReader(InputStream in, int limit) {
        this.in = in;
        this.limit = limit;
    }

    /** Blocks until the next line that is not blank. The last line needs no line end. */
    public Line next() throws IOException {
        while (true) {
            if (start == end) {
                start = 0;
                end = Math.max(0, in.read(chunk, 0, CHUNK));
                if (end == 0) {
                    return last();
                }
            }
            var newline = indexOfNewline();
            keep(newline < 0 ? end : newline);
            start = newline < 0 ? end : newline + 1;
            if (newline >= 0) {
                var line = take();
                if (!(line instanceof Line.Text text) || !isBlank(text.bytes())) {
                    return line;
                }
            }
        }
    }

    private Line last() {
        var line = take();
        return line instanceof Line.Text text && isBlank(text.bytes()) ? new Line.End() : line;
    }

    private int indexOfNewline() {
        for (var i = start; i < end; i++) {
            if (chunk[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void keep(int until) {
        var length = until - start;
        // One more than the limit for the CR that may end the line.
        if (skipped == null && keptLength + length > limit + 1) {
            skipped = new AnsweredIds();
            skipped.read(kept, 0, keptLength);
            kept = new byte[0];
            keptLength = 0;
        }
        if (skipped != null) {
            skipped.read(chunk, start, until);
            return;
        }
        if (kept.length < keptLength + length) {
            kept = Arrays.copyOf(kept, Math.max(keptLength + length, Math.min(2 * kept.length, limit + 1)));
        }
        System.arraycopy(chunk, start, kept, keptLength, length);
        keptLength += length;
    }

    private Line take() {
        var length = keptLength > 0 && kept[keptLength - 1] == '\r' ? keptLength - 1 : keptLength;
        if (skipped == null && length > limit) {
            skipped = new AnsweredIds();
            skipped.read(kept, 0, length);
        }
        var line = skipped == null ? new Line.Text(Arrays.copyOf(kept, length)) : new Line.TooLong(skipped.found());
        skipped = null;
        keptLength = 0;
        if (kept.length > CHUNK) {
            kept = new byte[0];
        }
        return line;
    }

    /** The response to a line over the limit. */
    public static byte[] refusal(WireLimits limits) {
        var message = "A message may have at most " + limits.messageBytes() + " bytes: send less at once";
        var error = new RpcError(RpcError.INVALID_REQUEST, message);
        return JsonRpcCodec.encode(new JsonRpcMessage.Failure(null, error)).bytes();
    }

    private static boolean isBlank(byte[] line) {
        for (var b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }
}

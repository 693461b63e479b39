// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.output;

import io.longhaul.backend.shell.text.TextEncoding;
import io.longhaul.engine.secret.SecretMask;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.TreeMap;

/**
 * One stream of output of a job on disk: files named after the position of their first byte in the stream. Only the
 * first file and the last two are kept, and the files that the {@link OutputFollower} has not read, up to a limit, so
 * that there can be a gap after the first file.
 *
 * @param folder the folder of the files
 * @param prefix the beginning of their names
 */
public record OutputFiles(Path folder, String prefix) {

    /** The output: standard output, and standard error where it is not logged. */
    static OutputFiles output(Path folder) {
        return new OutputFiles(folder, "out.");
    }

    /** Standard error that is logged. */
    static OutputFiles errors(Path folder) {
        return new OutputFiles(folder, "err.");
    }

    /** The size of a block that job.sh reads. */
    private static final int BLOCK = 4096;

    private static final int SMALLEST_FILE = 256 * 1024;

    /** How many bytes the follower of emitted lines may be behind, before the job waits for the follower. */
    public static final int UNREAD_EMITTED = 64 << 20;

    /** How many bytes any follower may be behind, before the job drops the oldest. */
    public static final int UNREAD = 16 << 20;

    /** A piece of the output; where there is a gap, its position is after the requested position. */
    record Piece(long position, byte[] bytes) {
        boolean isEmpty() {
            return bytes.length == 0;
        }
    }

    /** The size limit of one file, so that the first and the last half of the cap are always on disk. */
    public static long room(int outputCap) {
        var half = Math.ceilDiv(outputCap, 2) + BLOCK;
        return (long) Math.ceilDiv(Math.max(half, SMALLEST_FILE), BLOCK) * BLOCK;
    }

    /** Up to {@code limit} bytes from {@code position} on, or from the end of a gap on; an empty piece at the end. */
    Piece read(long position, int limit) throws IOException {
        while (true) {
            try {
                return readOnce(position, limit);
            } catch (NoSuchFileException droppedMeanwhile) {
                // The next listing shows the present files.
            }
        }
    }

    private Piece readOnce(long position, int limit) throws IOException {
        var files = list();
        var holder = files.floorEntry(position);
        if (holder != null) {
            var bytes = bytes(holder.getValue(), position - holder.getKey(), limit);
            if (bytes.length > 0) {
                return new Piece(position, bytes);
            }
        }
        var next = files.higherEntry(position);
        return next == null
                ? new Piece(position, new byte[0])
                : new Piece(next.getKey(), bytes(next.getValue(), 0, limit));
    }

    /**
     * The kept output, with {@code cap} bytes at most.
     *
     * @throws IOException also where the job still runs, and drops a file that was about to be read
     */
    JobOutput capture(int cap, SecretMask masking, TextEncoding encoding, boolean isRaw) throws IOException {
        var files = list();
        var total = files.isEmpty()
                ? 0
                : files.lastKey() + Files.size(files.lastEntry().getValue());
        if (total <= cap) {
            return new JobOutput(masking.mask(encoding.utf8(readFully(0, (int) total))), 0, new byte[0], isRaw);
        }
        var half = Math.ceilDiv(cap, 2);
        var head = masking.maskHead(encoding.utf8(readFully(0, half)));
        var tail = masking.maskTail(encoding.utf8(readFully(total - (cap - half), cap - half)));
        return new JobOutput(head, total - cap, tail, isRaw);
    }

    private byte[] readFully(long position, int length) throws IOException {
        var all = ByteBuffer.allocate(length);
        while (all.hasRemaining()) {
            var piece = read(position + all.position(), all.remaining());
            if (piece.isEmpty() || piece.position() != position + all.position()) {
                throw new IOException("output is missing in " + folder);
            }
            all.put(piece.bytes());
        }
        return all.array();
    }

    private static byte[] bytes(Path file, long from, int limit) throws IOException {
        // Not through a FileChannel, which an interrupt closes.
        try (var input = Files.newInputStream(file)) {
            return input.skip(from) == from ? input.readNBytes(limit) : new byte[0];
        }
    }

    private TreeMap<Long, Path> list() throws IOException {
        var files = new TreeMap<Long, Path>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, prefix + "[0-9]*")) {
            for (var file : found) {
                files.put(Long.valueOf(file.getFileName().toString().substring(prefix.length())), file);
            }
        }
        return files;
    }
}

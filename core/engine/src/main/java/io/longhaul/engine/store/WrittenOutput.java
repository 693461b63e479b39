// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the work of a task has written, for people who look how it goes: no client is sent any of it, and no history has
 * it. It is a sequence of pieces, in blocks that are rows beside the task. Every node reads them, and a store removes
 * them together with the task. Beyond a limit the oldest blocks give way. One node at a time writes. Thread-safe.
 */
public final class WrittenOutput {

    /** Before the id of a task in the space of its rows. */
    public static final String SPACES = "output/";

    /** A block of this size is complete: until then its row is written again with each piece. */
    private static final int BLOCK = 32 * 1024;

    /** More than the pieces of a block: a place is the number of a block, and how many of its pieces lie before. */
    private static final int PLACES = 1 << 16;

    private static final int BLOCKS_AT_ONCE = 8;

    /** The bytes of a piece beside its text. */
    private static final int HEAD = Long.BYTES + Integer.BYTES;

    /**
     * A text that was written at once.
     *
     * @param next the place behind it
     */
    public record Piece(long next, Instant at, String text) {}

    /**
     * The pieces of one row.
     *
     * @param before the bytes of all blocks before this one
     * @param mark   of the last piece
     */
    private record Block(long number, long before, String mark, List<Piece> pieces, int size) {

        Block with(Instant at, String text, String newMark) {
            var all = new ArrayList<>(pieces);
            all.add(new Piece(number * PLACES + pieces.size() + 1, at, text));
            return new Block(number, before, newMark, all, size + HEAD + utf8(text).length);
        }

        Block next() {
            return new Block(number + 1, before + size, mark, List.of(), 0);
        }

        Payload value() {
            var marked = utf8(mark);
            var out = ByteBuffer.allocate(Long.BYTES + Integer.BYTES + marked.length + size);
            out.putLong(before).putInt(marked.length).put(marked);
            for (var piece : pieces) {
                var text = utf8(piece.text());
                out.putLong(piece.at().toEpochMilli()).putInt(text.length).put(text);
            }
            return Payload.of(out.array());
        }

        static Block of(StoredRow row) {
            var in = ByteBuffer.wrap(row.value().bytes());
            var block = new Block(Long.parseLong(row.key()), in.getLong(), text(in), List.of(), 0);
            while (in.hasRemaining()) {
                block = block.with(Instant.ofEpochMilli(in.getLong()), text(in), block.mark());
            }
            return block;
        }

        private static byte[] utf8(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        private static String text(ByteBuffer in) {
            var bytes = new byte[in.getInt()];
            in.get(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private final RowStore rows;
    private final String space;
    /** The sizes of the blocks from the oldest one on. */
    private final Deque<Integer> sizes = new ArrayDeque<>();

    private long total;
    private @Nullable Block last;
    private boolean isKnown;

    public WrittenOutput(RowStore rows, TaskId task) {
        this.rows = rows;
        space = space(task);
    }

    /** The space of the rows of a task. */
    public static String space(TaskId task) {
        return SPACES + task;
    }

    private static String key(long number) {
        return String.format(Locale.ROOT, "%012d", number);
    }

    /** The mark of the last piece; empty where nothing is written. */
    public synchronized Optional<String> mark() {
        recall();
        return Optional.ofNullable(last).map(Block::mark);
    }

    /** When the last piece was written; empty where nothing is written. */
    public synchronized Optional<Instant> writtenAt() {
        recall();
        return Optional.ofNullable(last).map(block -> block.pieces().getLast().at());
    }

    /**
     * Writes a piece, which is durable when the method returns.
     *
     * @param mark where the work is behind the piece, for the attempt that goes on there
     * @param most the bytes that are kept
     */
    public synchronized void write(Instant at, String text, String mark, long most) {
        recall();
        if (most == 0) {
            return;
        }
        var before = last == null ? new Block(0, 0, mark, List.of(), 0) : last;
        var block = (before.size() < BLOCK ? before : before.next()).with(at, text, mark);
        rows.put(new StoredRow(space, key(block.number()), block.value(), null));
        if (last != null && block.number() == last.number()) {
            total -= sizes.removeLast();
        }
        last = block;
        count(block);
        while (total > most && sizes.size() > 1) {
            rows.remove(space, key(block.number() + 1 - sizes.size()));
            total -= sizes.removeFirst();
        }
    }

    private void count(Block block) {
        sizes.addLast(block.size());
        total += block.size();
    }

    private void recall() {
        while (!isKnown) {
            var more = blocks(last == null ? null : key(last.number()));
            for (var block : more) {
                count(block);
                last = block;
            }
            isKnown = more.isEmpty();
        }
    }

    private List<Block> blocks(@Nullable String after) {
        return rows.list(space, after, BLOCKS_AT_ONCE, Instant.EPOCH).stream()
                .map(Block::of)
                .toList();
    }

    /** The pieces behind a place, 0 for the beginning, up to the piece that brings them to {@code most} bytes. */
    public List<Piece> read(long after, int most) {
        var found = new ArrayList<Piece>();
        long place = after;
        long bytes = 0;
        while (true) {
            long number = place / PLACES;
            var blocks = blocks(number == 0 ? null : key(number - 1));
            if (!blocks.isEmpty() && blocks.getFirst().number() > number) {
                found.add(cut(blocks.getFirst()));
            }
            long from = place;
            for (var block : blocks) {
                for (var piece : block.pieces()) {
                    if (piece.next() > from && bytes < most) {
                        found.add(piece);
                        place = piece.next();
                        bytes += HEAD + piece.text().length();
                    }
                }
            }
            if (place == from || bytes >= most) {
                return found;
            }
        }
    }

    private static Piece cut(Block first) {
        var told = "[... the first " + first.before() + " bytes of the output are not kept any more ...]\n";
        return new Piece(first.number() * PLACES, first.pieces().getFirst().at(), told);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.output;

import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.backend.shell.process.Claim;
import io.longhaul.engine.run.Run;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Writes each line of a job's output to its task, for people, once: the position in the output is stored with the
 * lines, so that the next server goes on behind them. Not thread-safe.
 */
final class WrittenLines {

    /** A job that has written more is no longer kept whole, but at most {@link #PIECE} of each look. */
    private static final long FLOOD = 16 << 20;

    private static final int PIECE = 64 * 1024;

    private final Run run;
    private final String job;
    private final StringBuilder pending = new StringBuilder();
    private long writtenTo;
    private long written;
    private long dropped;

    WrittenLines(Run run, JobFolder folder) throws IOException {
        this.run = run;
        job = folder.claim().map(Claim::toString).orElse("");
        writtenTo = run.writtenTo()
                .flatMap(mark -> Optional.of(mark.split(" ", 2)).filter(parts -> parts[1].equals(job)))
                .map(parts -> Long.parseLong(parts[0]))
                .orElse(0L);
    }

    /** The position behind the last line that was taken. */
    long writtenTo() {
        return writtenTo;
    }

    void add(List<OutputFollower.Line> lines) {
        for (var line : lines) {
            if (line.isLast() && line.end() > writtenTo) {
                pending.append(line.text()).append('\n');
                writtenTo = line.end();
            }
        }
        if (written < FLOOD) {
            flush();
        } else if (pending.length() > PIECE) {
            dropped += pending.length() - PIECE;
            pending.delete(0, pending.length() - PIECE);
        }
    }

    void flush() {
        if (pending.isEmpty()) {
            return;
        }
        var cut = dropped == 0 ? "" : "[... " + dropped + " characters of output left out here ...]\n";
        run.write(cut + pending, writtenTo + " " + job);
        written += pending.length();
        dropped = 0;
        pending.setLength(0);
    }
}

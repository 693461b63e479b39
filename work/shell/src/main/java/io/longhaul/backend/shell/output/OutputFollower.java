// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.output;

import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.backend.shell.text.LineSplitter;
import io.longhaul.backend.shell.text.TerminalText;
import io.longhaul.engine.run.MessageText;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.secret.SecretMask;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the growing output of a job, writes its lines to the task, and reports progress, status messages and partial
 * output from them.
 *
 * <p>A piece of partial output is emitted exactly once: before a piece is emitted, its position and the resulting
 * number of pieces are saved, so that the next server can tell whether it was emitted. Not thread-safe.
 */
public final class OutputFollower {

    private static final int CHUNK = 64 * 1024;
    private static final int CHUNKS_AT_ONCE = 64;
    private static final int PIECE = 64 * 1024;

    /** The pattern of progress bars, for a command without progress patterns. */
    private static final List<ProgressPattern> BARS =
            List.of(ProgressPattern.of("(?<percent>\\d{1,3}(?:\\.\\d+)?) ?%"));

    /**
     * One state of a line as text.
     *
     * @param isState whether the line has, or may yet have, other states
     * @param isLast  whether this is the last state of the line
     * @param end     the position after the state in the whole output
     */
    record Line(String text, boolean isState, boolean isLast, long end) {}

    private final Run run;
    private final OutputOptions options;
    private final Function<String, Payload> partial;
    private final JobFolder folder;
    private final OutputFiles files;
    private final LineSplitter splitter;
    private final OutputFiles errors;
    private final LineSplitter errorSplitter;
    private final ErrorLog errorLog;
    private final WrittenLines written;
    private final @Nullable SaidOutput said;
    private final SecretMask masking;
    private final Deque<Line> latest = new ArrayDeque<>();
    /** The position behind the last whole line of which each that is to be emitted was emitted. */
    private long emittedTo;

    private long savedTo;
    private int pieces;
    private boolean full;

    /** @param partial makes a piece of partial output of lines */
    public OutputFollower(
            Run run, OutputOptions options, Function<String, Payload> partial, JobFolder folder, SecretMask masking)
            throws IOException {
        this.run = run;
        this.options = options;
        this.partial = partial;
        this.folder = folder;
        this.masking = masking;
        files = OutputFiles.output(folder.path());
        errors = OutputFiles.errors(folder.path());
        errorLog = new ErrorLog(run, partial, folder);
        errorSplitter = new LineSplitter(errorLog.loggedTo());
        pieces = options.emits() ? run.partialCount() : 0;
        var last = options.emits() ? folder.followed().flatMap(Intent::parse) : Optional.<Intent>empty();
        full = last.filter(Intent::isFull).isPresent();
        emittedTo = last.map(intent -> intent.placeAfter(pieces)).orElse(0L);
        written = new WrittenLines(run, folder);
        said = options.lines().said() == null
                ? null
                : new SaidOutput(options.lines().said(), folder);
        long takenTo = said == null ? written.writtenTo() : said.place();
        savedTo = options.emits() ? Math.min(emittedTo, takenTo) : takenTo;
        splitter = new LineSplitter(savedTo);
    }

    /** Reports new output, or a part of it where there is very much; false where there was no new output. */
    public boolean advance() throws IOException {
        boolean hasErrors = options.errorsLogged() && advance(errors, errorSplitter, this::reportErrors);
        boolean hasOutput = advance(files, splitter, this::report);
        written.flush();
        long takenTo = said == null ? written.writtenTo() : said.place();
        long done = options.emits() ? emittedTo : takenTo;
        if (done > savedTo) {
            if (said != null) {
                said.save();
            }
            // The job drops output that was read, and no other.
            save(new Intent(done, pieces, full ? Intent.FULL : done));
        }
        return hasOutput || hasErrors;
    }

    private interface Report {
        void of(List<Line> lines) throws IOException;
    }

    private boolean advance(OutputFiles from, LineSplitter split, Report report) throws IOException {
        for (int chunks = 0; chunks < CHUNKS_AT_ONCE; chunks++) {
            var piece = from.read(split.position(), CHUNK);
            if (piece.isEmpty()) {
                return chunks > 0;
            }
            var lines = new ArrayList<Line>();
            if (piece.position() > split.position()) {
                skipTo(piece.position(), split, lines);
            }
            split.add(piece.bytes(), line -> read(line, lines));
            report.of(lines);
        }
        return true;
    }

    /** Reports the rest of the output, a last line without a line feed included. */
    public void finish() throws IOException {
        while (advance()) {
            // The loop ends, because the job has ended.
        }
        finish(errorSplitter, this::reportErrors);
        finish(splitter, this::report);
        written.flush();
    }

    private void finish(LineSplitter split, Report report) throws IOException {
        var lines = new ArrayList<Line>();
        split.finish(split.position(), line -> read(line, lines));
        report.of(lines);
    }

    private void skipTo(long position, LineSplitter split, List<Line> lines) {
        var missed = position - split.position();
        split.finish(position, line -> read(line, lines));
        var told = "[... " + missed + " bytes of output cut here ...]";
        lines.add(new Line(told, false, true, position));
        if (options.emits() && split == splitter) {
            run.log("warning", null, partial.apply(told));
        }
    }

    /** Adds a line as text; a binary line is skipped. */
    private void read(LineSplitter.Line line, List<Line> lines) {
        var bytes = options.encoding().utf8(line.bytes());
        if (JobOutput.isBinary(bytes)) {
            return;
        }
        var masked = line.isCut() ? masking.maskHead(bytes) : masking.mask(bytes);
        var text = new String(masked, StandardCharsets.UTF_8);
        var shown = options.isRaw() ? text : TerminalText.plain(text);
        lines.add(new Line(line.isCut() ? shown + "…" : shown, line.isState(), line.isLast(), line.end()));
    }

    private void report(List<Line> lines) throws IOException {
        if (said == null) {
            take(lines);
            return;
        }
        // The others are written first: what is before the place of the said lines is not looked at again.
        take(lines.stream().filter(line -> !said.isSaid(line)).toList());
        written.flush();
        said.move(lines);
    }

    private void take(List<Line> lines) throws IOException {
        written.add(lines);
        if (options.emits()) {
            written.flush();
            emit(lines);
        }
        tell(lines);
    }

    private void reportErrors(List<Line> lines) throws IOException {
        errorLog.add(lines);
        tell(lines);
    }

    private void tell(List<Line> lines) {
        var progress = latestProgress(lines);
        if (progress != null) {
            run.progress(progress);
        }
        if (remember(lines)) {
            run.status(message());
        }
    }

    /** The newest lines that fit into a message; a newest line that is too long alone. */
    private String message() {
        var message = "";
        for (var line : latest.reversed()) {
            var longer = line.text().strip() + (message.isEmpty() ? "" : "\n" + message);
            if (!message.isEmpty() && longer.length() > MessageText.LONGEST) {
                break;
            }
            message = longer;
        }
        return message;
    }

    private @Nullable Progress latestProgress(List<Line> lines) {
        Progress furthest = null;
        for (var line : lines) {
            for (var pattern : options.lines().progress().isEmpty() && line.isState()
                    ? BARS
                    : options.lines().progress()) {
                var found = pattern.find(line.text());
                if (found.isPresent()) {
                    var progress = found.get();
                    furthest = furthest == null || progress.current() >= furthest.current() ? progress : furthest;
                    break;
                }
            }
        }
        return furthest;
    }

    private boolean remember(List<Line> lines) {
        var changed = false;
        for (var line : lines) {
            if (options.lines().shown() > 0 && !line.text().isBlank()) {
                if (!latest.isEmpty() && !latest.getLast().isLast()) {
                    latest.removeLast();
                }
                latest.addLast(line);
                changed = true;
            }
        }
        while (latest.size() > options.lines().shown()) {
            latest.removeFirst();
        }
        return changed;
    }

    private void emit(List<Line> lines) throws IOException {
        var piece = new StringBuilder();
        var wanted = lines.stream()
                .filter(line -> line.isLast() && line.end() > emittedTo && options.emits(line.text()))
                .toList();
        for (int i = 0; i < wanted.size(); i++) {
            var line = wanted.get(i);
            piece.append(piece.isEmpty() ? "" : "\n").append(line.text());
            if (i == wanted.size() - 1
                    || piece.length() + wanted.get(i + 1).text().length() > PIECE) {
                emitOnce(piece.toString(), line.end());
                piece.setLength(0);
            }
        }
        emittedTo = Math.max(emittedTo, splitter.wholeTo());
    }

    /** Emits a piece once. Output beyond the limit of the task is only in the result: the job goes on. */
    private void emitOnce(String text, long end) throws IOException {
        if (full) {
            return;
        }
        save(new Intent(emittedTo, pieces + 1, end));
        try {
            run.partial(partial.apply(text));
        } catch (RunException e) {
            full = true;
            save(new Intent(emittedTo, pieces, Intent.FULL));
            run.log("warning", null, partial.apply("The partial output ends here: it has reached its limit."));
            return;
        }
        emittedTo = end;
        pieces++;
    }

    private void save(Intent intent) throws IOException {
        folder.saveFollowed(intent.toString());
        savedTo = intent.from();
    }

    /**
     * The piece that was about to be emitted. The job reads the first number.
     *
     * @param from   the position where its output begins: all output before it is done with
     * @param pieces the number of pieces once it is emitted
     * @param to     the position where the output after it begins; {@link #FULL} where no piece follows
     */
    private record Intent(long from, int pieces, long to) {

        static final long FULL = -1;

        static Optional<Intent> parse(String text) {
            var parts = text.strip().split(" ", -1);
            return parts.length == 3
                    ? Optional.of(
                            new Intent(Long.parseLong(parts[0]), Integer.parseInt(parts[1]), Long.parseLong(parts[2])))
                    : Optional.empty();
        }

        long placeAfter(int emitted) {
            return emitted >= pieces && !isFull() ? to : from;
        }

        boolean isFull() {
            return to == FULL;
        }

        @Override
        public String toString() {
            return from + " " + pieces + " " + to;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.output;

import io.longhaul.backend.shell.text.FileKind;
import io.longhaul.backend.shell.text.TerminalText;
import io.longhaul.backend.shell.text.TextEncoding;
import io.longhaul.engine.run.MessageText;
import java.nio.charset.StandardCharsets;

/**
 * The kept output of a job: all of it, or the first and the last bytes of an output that is longer than its cap.
 * Secrets are masked.
 *
 * @param head     the first bytes, or all bytes of an output that was not cut; not to be changed
 * @param cutBytes the number of bytes that were dropped between head and tail
 * @param tail     the last bytes; empty for an output that was not cut; not to be changed
 * @param isRaw    whether {@link #text} keeps terminal codes, and all states of an overwritten line
 */
@SuppressWarnings("ArrayRecordComponent")
public record JobOutput(byte[] head, long cutBytes, byte[] tail, boolean isRaw) {

    private static final int CONTINUATION_MASK = 0xC0;
    private static final int CONTINUATION = 0x80;
    private static final int LONGEST_CHARACTER = 4;
    private static final char UNREADABLE = '\ufffd';
    private static final int READABLE_FOR_EACH = 10;

    private static final byte[] NOTHING = {};

    /** An output that is not cut. Text that is not UTF-8 is read in its likely encoding. */
    public static JobOutput whole(byte[] bytes) {
        return new JobOutput(new TextEncoding(null).utf8(bytes), 0, NOTHING, true);
    }

    /** Bytes that are not cut, and are given as they are. */
    public static JobOutput kept(byte[] bytes) {
        return new JobOutput(bytes, 0, NOTHING, true);
    }

    static JobOutput none() {
        return new JobOutput(NOTHING, 0, NOTHING, true);
    }

    /** The text of this output, and behind it the text of another; this output where one of them is no text. */
    JobOutput with(JobOutput other) {
        if (other.head.length == 0 || isBinary() || other.isBinary()) {
            return this;
        }
        var first = text();
        var gap = first.isEmpty() || first.endsWith("\n") ? "" : "\n";
        return new JobOutput((first + gap + other.text()).getBytes(StandardCharsets.UTF_8), 0, NOTHING, true);
    }

    /** Whether the job wrote more than was kept. */
    public boolean isCut() {
        return cutBytes > 0;
    }

    /**
     * Whether the output is not text: it has a byte 0, begins like a known kind of file, or more than a tenth of its
     * characters are not UTF-8.
     */
    public boolean isBinary() {
        return FileKind.of(head).isPresent() || isBinary(head) || isBinary(tail);
    }

    /** The media type of the first bytes; {@code application/octet-stream} for unknown bytes. */
    public String mimeType() {
        return FileKind.of(head).map(FileKind::mimeType).orElse("application/octet-stream");
    }

    static boolean isBinary(byte[] bytes) {
        var text = new String(bytes, StandardCharsets.UTF_8);
        var unreadable = text.chars().filter(c -> c == UNREADABLE).count();
        return text.indexOf('\0') >= 0 || unreadable * READABLE_FOR_EACH > text.length();
    }

    /**
     * The output as text, with a note where it was cut. Bytes that are not UTF-8 become U+FFFD; a character at the cut
     * is dropped. Terminal codes are removed, and of an overwritten line, such as a progress bar, only the last state
     * stays; {@code ShellCommand.Builder.raw} keeps both.
     */
    public String text() {
        if (!isCut()) {
            return shown(new String(head, StandardCharsets.UTF_8));
        }
        var end = MessageText.complete(head);
        var start = startOfWholeCharacters(tail);
        var dropped = cutBytes + (head.length - end) + start;
        return shown(new String(head, 0, end, StandardCharsets.UTF_8))
                + "\n[... " + dropped + " bytes of output cut here ...]\n"
                + shown(new String(tail, start, tail.length - start, StandardCharsets.UTF_8));
    }

    private String shown(String text) {
        return isRaw ? text : TerminalText.plain(text);
    }

    private static int startOfWholeCharacters(byte[] bytes) {
        var latest = Math.min(bytes.length, LONGEST_CHARACTER);
        for (int i = 0; i < latest; i++) {
            if ((bytes[i] & CONTINUATION_MASK) != CONTINUATION) {
                return i;
            }
        }
        return 0;
    }
}

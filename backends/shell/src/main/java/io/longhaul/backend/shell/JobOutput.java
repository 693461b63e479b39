package io.longhaul.backend.shell;

import java.nio.charset.StandardCharsets;

/**
 * What is kept of the output of a job: all of it, or the first and the last bytes where it is longer than its cap.
 *
 * @param head     the first bytes; all there are where nothing was cut; not to be changed
 * @param cutBytes how many bytes between head and tail were dropped, 0 for none
 * @param tail     the last bytes; empty where nothing was cut; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent")
public record JobOutput(byte[] head, long cutBytes, byte[] tail) {

    private static final int CONTINUATION_MASK = 0xC0;
    private static final int CONTINUATION = 0x80;
    private static final int LEAD = 0xC0;
    private static final int LONGEST_CHARACTER = 4;

    /** Whether the job wrote more than was kept. */
    public boolean isCut() {
        return cutBytes > 0;
    }

    /**
     * The output as text, with a note where it was cut. Bytes that are not UTF-8 become U+FFFD; a character that the
     * cut went through is dropped.
     */
    public String text() {
        if (!isCut()) {
            return new String(head, StandardCharsets.UTF_8);
        }
        var end = endOfWholeCharacters(head);
        var start = startOfWholeCharacters(tail);
        var dropped = cutBytes + (head.length - end) + start;
        return new String(head, 0, end, StandardCharsets.UTF_8)
                + "\n[... " + dropped + " bytes of output cut here ...]\n"
                + new String(tail, start, tail.length - start, StandardCharsets.UTF_8);
    }

    private static int endOfWholeCharacters(byte[] bytes) {
        var earliest = Math.max(0, bytes.length - LONGEST_CHARACTER);
        for (int i = bytes.length - 1; i >= earliest; i--) {
            if ((bytes[i] & CONTINUATION_MASK) == LEAD) {
                return i + lengthOfCharacter(bytes[i]) > bytes.length ? i : bytes.length;
            }
            if ((bytes[i] & CONTINUATION_MASK) != CONTINUATION) {
                break;
            }
        }
        return bytes.length;
    }

    private static int lengthOfCharacter(byte lead) {
        return Integer.numberOfLeadingZeros(~lead << 24);
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

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of the output of a command. Immutable.
 *
 * @param declared the encoding that the author of the command has declared; null to find it in the bytes
 */
public record TextEncoding(@Nullable Charset declared) {

    /** Japanese text has kana, which bytes in no other encoding give. */
    private static final List<Charset> JAPANESE = List.of(Charset.forName("windows-31j"), Charset.forName("EUC-JP"));

    private static final Charset WESTERN = Charset.forName("windows-1252");
    private static final String ASCII = "\n\t ABCXYZabcxyz0123456789";
    private static final String CONTROLS_OF_TEXT = "\t\n\r\f\b\u001b\u0007";
    private static final char UNREADABLE = '\ufffd';

    /** Letters with accents stand alone or in pairs in Western text, and most letters have none. */
    private static final int LONGEST_RUN = 2;

    /** Whether the encoding writes ASCII characters as ASCII does, so that lines can be found in its bytes. */
    public static boolean hasAscii(Charset charset) {
        return charset.canEncode() && new String(ASCII.getBytes(US_ASCII), charset).equals(ASCII);
    }

    /**
     * A text as UTF-8. Without a declared encoding, bytes that are UTF-8, or plainly no text, stay as they are.
     */
    public byte[] utf8(byte[] bytes) {
        var charset = declared != null ? Optional.of(declared) : likely(bytes);
        return charset.filter(other -> !other.equals(UTF_8))
                .map(other -> new String(bytes, other).getBytes(UTF_8))
                .orElse(bytes);
    }

    private static Optional<Charset> likely(byte[] bytes) {
        var text = new String(bytes, UTF_8);
        long unreadable = text.chars().filter(c -> c == UNREADABLE).count();
        long foreign = text.chars().filter(c -> c > 0x7f && c != UNREADABLE).count();
        boolean isUtf8 = unreadable == 0 || foreign > 2 * unreadable;
        if (isUtf8
                || text.chars().anyMatch(TextEncoding::isControl)
                || FileKind.of(bytes).isPresent()) {
            return Optional.empty();
        }
        return JAPANESE.stream()
                .filter(charset -> isJapanese(bytes, charset))
                .findFirst()
                .or(() -> isWestern(bytes) ? Optional.of(WESTERN) : Optional.empty());
    }

    private static boolean isControl(int c) {
        return c < ' ' && CONTROLS_OF_TEXT.indexOf(c) < 0;
    }

    private static boolean isJapanese(byte[] bytes, Charset charset) {
        try {
            var text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.chars().anyMatch(TextEncoding::isKana)
                    && text.chars().allMatch(c -> c < 0x7f || isKana(c) || isOfChineseOrWide(c));
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static boolean isKana(int c) {
        return c >= 0x3040 && c <= 0x30ff;
    }

    /** Ideographs, their punctuation, and the wide forms of ASCII characters. */
    private static boolean isOfChineseOrWide(int c) {
        return c >= 0x4e00 && c <= 0x9fff || c >= 0x3000 && c <= 0x303f || c >= 0xff01 && c <= 0xff5e;
    }

    private static boolean isWestern(byte[] bytes) {
        int run = 0;
        int letters = 0;
        int foreign = 0;
        for (int c : new String(bytes, WESTERN).toCharArray()) {
            if (c == UNREADABLE || c >= 0x80 && c < 0xa0) {
                return false;
            }
            run = c > 0x7f ? run + 1 : 0;
            if (run > LONGEST_RUN) {
                return false;
            }
            foreign += c > 0x7f ? 1 : 0;
            letters += c <= 0x7f && Character.isLetter(c) ? 1 : 0;
        }
        return foreign <= letters;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static io.longhaul.backend.shell.Jobs.script;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.backend.shell.text.TextEncoding;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Output in other encodings than UTF-8. */
@Timeout(60)
class TextEncodingTest {

    private static final TextEncoding LIKELY = new TextEncoding(null);

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource({
        "ISO-8859-1, café crème",
        "windows-1252, Größe",
        "Shift_JIS, 日本語のテキスト",
        "EUC-JP, 日本語のテキスト です。",
        "UTF-8, 日本語のテキスト",
        "UTF-8, café",
    })
    void what_is_plainly_text_is_read_in_its_likely_encoding(String charset, String text) {
        assertThat(new String(LIKELY.utf8(text.getBytes(Charset.forName(charset))), UTF_8))
                .isEqualTo(text);
    }

    @Test
    void utf_8_with_a_flaw_and_what_is_plainly_no_text_stay_as_they_are() {
        var flawed = "日本語のテキスト \u00e9".getBytes(UTF_8);
        assertThat(LIKELY.utf8(Arrays.copyOf(flawed, flawed.length - 1))).endsWith((byte) 0xc3);
        for (var bytes : new byte[][] {
            "PK\u0003\u0004 \u00e9".getBytes(ISO_8859_1),
            "a\u0000\u00e9 bcdef".getBytes(ISO_8859_1),
            "a\u0001\u00e9 bcdef".getBytes(ISO_8859_1),
            "\u00e9\u00e8\u00ff".getBytes(ISO_8859_1),
            "Привет, мир".getBytes(Charset.forName("KOI8-R")),
        }) {
            assertThat(LIKELY.utf8(bytes)).isSameAs(bytes);
        }
    }

    @Test
    void random_bytes_are_no_text() {
        var random = new Random(7);
        for (int i = 0; i < 1000; i++) {
            var bytes = new byte[64];
            random.nextBytes(bytes);
            assertThat(LIKELY.utf8(bytes)).isSameAs(bytes);
        }
    }

    @Test
    void a_declared_encoding_is_that_of_result_messages_and_partial_output() throws Exception {
        var jobs = new Jobs(home);
        var run = jobs.run();
        var command = script("printf '\\321\\316\\n'").encoding(Charset.forName("KOI8-R"));
        var outcome = jobs.running(command.partial(Pattern.compile("."))).run(run);
        assertThat(Jobs.text(outcome)).isEqualTo("0\nян\n");
        assertThat(run.messages).containsExactly("ян");
        assertThat(run.emittedTexts()).containsExactly("ян");
    }

    @Test
    void an_encoding_without_ascii_characters_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> script("").encoding(UTF_16))
                .withMessageContaining("not an encoding with ASCII characters");
    }
}

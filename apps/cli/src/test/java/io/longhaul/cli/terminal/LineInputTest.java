// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LineInputTest {

    /** A terminal at which Ctrl-D is pressed after each of these. */
    private static InputStream terminal(String... typed) {
        Iterator<InputStream> parts = List.of(typed).stream()
                .map(text -> (InputStream) new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                .iterator();
        return new InputStream() {
            private InputStream now = InputStream.nullInputStream();

            @Override
            public int read() throws IOException {
                var one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0];
            }

            @Override
            public int read(byte[] into, int from, int most) throws IOException {
                int read = now.read(into, from, most);
                if (read < 0 && parts.hasNext()) {
                    now = parts.next();
                }
                return read;
            }
        };
    }

    @Test
    void what_is_typed_after_the_end_of_the_input_is_the_next_line() throws InterruptedException {
        var input = new LineInput(terminal("one\n", "two\n"));
        assertThat(input.next()).isEmpty();
        assertThat(input.next()).contains("one");
        assertThat(input.next()).isEmpty();
        assertThat(input.next()).contains("two");
        assertThat(input.next()).isEmpty();
        assertThat(input.next()).isEmpty();
    }
}

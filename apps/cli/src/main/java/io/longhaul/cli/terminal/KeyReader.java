// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import io.longhaul.cli.terminal.Key.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/** Reads keys from the input of a terminal, by ECMA-48 and xterm. For one thread at a time. */
public final class KeyReader {
    private static final int ESCAPE = 0x1b;
    private static final int DELETE = 0x7f;
    private static final int FIRST_TEXT = ' ';

    /** The characters after {@code ESC [} or {@code ESC O}, including parameters. */
    private static final Map<String, Kind> SEQUENCES = Map.ofEntries(
            Map.entry("A", Kind.UP),
            Map.entry("B", Kind.DOWN),
            Map.entry("H", Kind.HOME),
            Map.entry("F", Kind.END),
            Map.entry("1~", Kind.HOME),
            Map.entry("4~", Kind.END),
            Map.entry("5~", Kind.PAGE_UP),
            Map.entry("6~", Kind.PAGE_DOWN));

    private final InputStream in;

    public KeyReader(InputStream in) {
        this.in = in;
    }

    /** The next key; empty at the end of the input. Unknown keys are ignored. */
    public Optional<Key> next() throws IOException {
        while (true) {
            int read = in.read();
            if (read < 0) {
                return Optional.empty();
            }
            var key = read == ESCAPE ? escaped() : plain(read);
            if (key.isPresent()) {
                return key;
            }
        }
    }

    /** Reads what follows ESC. A terminal sends a sequence at once, so ESC without more input is the key itself. */
    private Optional<Key> escaped() throws IOException {
        if (in.available() == 0) {
            return Optional.of(Key.of(Kind.ESCAPE));
        }
        int opening = in.read();
        if (opening != '[' && opening != 'O') {
            return Optional.empty();
        }
        var sequence = new StringBuilder();
        int read = in.read();
        while (read >= ' ' && read < '@') {
            sequence.append((char) read);
            read = in.read();
        }
        return Optional.ofNullable(SEQUENCES.get(sequence.append((char) read).toString()))
                .map(Key::of);
    }

    private Optional<Key> plain(int read) throws IOException {
        if (read == '\r' || read == '\n') {
            return Optional.of(Key.of(Kind.ENTER));
        }
        if (read == DELETE || read == '\b') {
            return Optional.of(Key.of(Kind.ERASE));
        }
        return read < FIRST_TEXT ? Optional.empty() : Optional.of(Key.text(character(read)));
    }

    /** The UTF-8 character that begins with this byte. */
    private int character(int first) throws IOException {
        int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
        int character = more == 0 ? first : first & 0x3f >> more;
        for (int i = 0; i < more; i++) {
            character = character << 6 | in.read() & 0x3f;
        }
        return Character.isValidCodePoint(character) ? character : '?';
    }
}

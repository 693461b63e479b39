// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The terminal of this process. */
public final class SystemTerminal {
    private static final int DEFAULT_WIDTH = 80;

    private SystemTerminal() {}

    /** Opens the standard streams, and detects which of them are a terminal. */
    public static Terminal open() {
        boolean err = isTerminal(2);
        var tty = new Stty();
        var facts = new Terminal.Facts(err && isTerminal(0), isTerminal(1), err, err ? width(tty) : DEFAULT_WIDTH);
        var out = Screen.ofResults(new FileOutputStream(FileDescriptor.out), facts.showsOut());
        var messages = Screen.of(new FileOutputStream(FileDescriptor.err));
        return new Terminal(System.in, out, messages, facts, System.getenv(), tty);
    }

    /** Whether a descriptor is a terminal. The launcher script passes that; without it, the links of /proc tell. */
    private static boolean isTerminal(int descriptor) {
        var known = System.getProperty("longhaul.terminal");
        if (known != null) {
            return known.contains(String.valueOf(descriptor));
        }
        try {
            var target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static int width(Tty tty) {
        var columns = System.getenv("COLUMNS");
        return columns != null && columns.matches("[1-9]\\d{0,3}")
                ? Integer.parseInt(columns)
                : tty.size().map(Tty.Size::columns).orElse(DEFAULT_WIDTH);
    }
}

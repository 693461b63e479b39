// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import java.time.InstantSource;
import java.util.Optional;

/**
 * A terminal, with its input lines and its status line. Code that asks a person needs all three.
 *
 * @param input  the lines that a person types
 * @param status is hidden while a person is asked
 */
public record UserConsole(Terminal terminal, LineInput input, StatusLine status) {

    /** The console of a terminal, whose status line uses the system clock. */
    public static UserConsole at(Terminal terminal) {
        return with(terminal, new StatusLine(terminal, InstantSource.system()));
    }

    /** The console of a terminal with an existing status line. */
    public static UserConsole with(Terminal terminal, StatusLine status) {
        return new UserConsole(terminal, new LineInput(terminal.in()), status);
    }

    /** Prints a question, and gives the next line without spaces around it; empty at the end of the input. */
    public Optional<String> ask(String question) throws InterruptedException {
        terminal.err().print(question);
        return input.next().map(String::strip);
    }
}

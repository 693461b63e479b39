// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import java.time.InstantSource;

/**
 * A terminal with what is typed at it and with the line that shows how a call stands: whoever asks a person takes all
 * three.
 *
 * @param input  the lines that a person types
 * @param status is out of the way while a person is asked
 */
public record UserConsole(Terminal terminal, LineInput input, StatusLine status) {

    /** The console of a terminal, whose status line keeps the real time. */
    public static UserConsole at(Terminal terminal) {
        return with(terminal, new StatusLine(terminal, InstantSource.system()));
    }

    /** The console of a terminal whose status line is there already. */
    public static UserConsole with(Terminal terminal, StatusLine status) {
        return new UserConsole(terminal, new LineInput(terminal.in()), status);
    }
}

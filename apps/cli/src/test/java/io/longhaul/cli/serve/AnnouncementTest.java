// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.terminal.TestTerminal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines that {@code serve} prints when it has started. */
class AnnouncementTest {
    @Test
    void no_line_of_the_log_comes_between_the_lines_at_the_start() {
        var terminal = TestTerminal.silent();
        ServeCommand.say(terminal.terminal(), List.of("serving tools.yaml: count", "at an address"));
        assertThat(terminal.errWrites())
                .containsExactly("longhaul: serving tools.yaml: count\nlonghaul: at an address\n");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.client.ServerAddress;
import io.longhaul.client.TaskReference;
import io.longhaul.protocol.dialect.Generation;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that a server says does anything to a terminal, or passes for a line of Longhaul's own. */
@Timeout(60)
class HostileServerTest {

    private HostileServer server;

    @BeforeEach
    void listen() throws IOException {
        server = new HostileServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_person_who_is_asked_sees_harmless_text() {
        var user = TestTerminal.watched();
        for (int i = 0; i < 40; i++) {
            user.type("").type("yes");
        }
        assertThat(run(user, "call", "URL", "ask")).isZero();
        assertHarmless(user.err());
        assertHarmless(user.out());
        assertNoFake(user.err());
        assertThat(user.err())
                .contains("asks you to visit an address")
                .contains("  https://example.com/\n  which is at example.com\n")
                .contains("asks: ")
                .contains("word (")
                .contains("must be one of");
        assertThat(user.out()).contains("[image ").contains("[link ").contains("[resource ");
    }

    @Test
    void only_addresses_of_the_web_are_offered_for_consent() {
        var user = TestTerminal.watched();
        for (int i = 0; i < 40; i++) {
            user.type("").type("yes");
        }
        run(user, "call", "URL", "ask");
        assertThat(user.err().split("asks you to visit an address", -1)).hasSize(2);
        assertThat(user.err()).doesNotContain("etc/passwd").doesNotContain("alert(1)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "call URL ask --yes",
                "call URL ask",
                "call URL fail",
                "call URL loud",
                "call URL refuse",
                "call URL nosuch",
                "call URL pick x=1",
                "call URL pick size=b",
                "call URL ask --detach",
                "call URL ask --detach --generation 2025-11-25",
                "call URL ask --detach --generation 2025-06-18",
                "attach REFERENCE",
                "tasks list URL",
                "tasks get URL open",
                "tasks get URL failed",
                "tasks get URL cancelled",
                "tasks get URL nosuch",
                "tasks result URL failed",
                "tasks watch URL failed",
                "tasks answer URL open",
                "tasks answer URL open nosuch x=1",
                "tasks answer URL open x=1",
                "tasks cancel URL open",
                "tasks delete URL open"
            })
    void every_command_prints_harmless_text(String line) {
        for (var more : List.of("", "--output json")) {
            var words = (line + " " + more).strip();
            var watched = TestTerminal.watched();
            watched.type(":d").type(":d").type(":d").type(":d");
            run(watched, words.split(" "));
            assertHarmless(watched.err());
            assertHarmless(watched.out());
            assertNoFake(watched.err());
            var silent = TestTerminal.silent();
            run(silent, words.split(" "));
            assertHarmless(silent.err());
            assertNoFake(silent.err());
            if (!more.isEmpty()) {
                assertHarmless(silent.out());
            }
            if (!line.contains("--detach") && more.isEmpty()) {
                assertThat(watched.out() + watched.err()).as(line).contains("FAKE");
            }
        }
    }

    private int run(TestTerminal user, String... line) {
        var reference =
                new TaskReference(new ServerAddress.Http(URI.create(server.url())), Generation.V2026_07_28, "asking");
        var words = new ArrayList<>(List.of(line));
        words.replaceAll(
                word -> word.equals("URL") ? server.url() : word.equals("REFERENCE") ? reference.toString() : word);
        return new Cli(user.terminal()).run(words);
    }

    /** Beside line feeds and tabs, only the status line is drawn by control characters. */
    private static void assertHarmless(String printed) {
        var text = withoutDrawing(printed);
        assertThat(text.codePoints().filter(c -> c != '\n' && c != '\t' && isHarmful(c)))
                .as(text)
                .isEmpty();
    }

    private static String withoutDrawing(String printed) {
        return printed.replaceAll("\r\u001b\\[K|\u001b\\[\\?7[lh]", "");
    }

    private static void assertNoFake(String printed) {
        assertThat(withoutDrawing(printed).lines()).noneMatch(line -> line.startsWith("longhaul: FAKE"));
    }

    private static boolean isHarmful(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}

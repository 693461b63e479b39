// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.longhaul.cli.Cli;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.server.LogLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SealingKeysTest {

    @TempDir
    Path folder;

    private final TestTerminal user = TestTerminal.silent();

    private String newKey(String... id) {
        var command = new DataKeyCommand(InstantSource.fixed(Instant.parse("2026-11-23T23:59:59Z")));
        assertThat(command.run(Arguments.parse(List.of(id), command.help().options()), user.terminal()))
                .isZero();
        return user.out().lines().toList().getLast();
    }

    private static Arguments options(String... words) {
        return Arguments.parse(List.of(words), List.of(SealingKeys.OPTION));
    }

    @Test
    void a_new_key_has_the_name_that_the_user_gives_it_or_the_day() {
        assertThat(newKey()).startsWith("2026-11-23 ");
        assertThat(newKey("zurich")).startsWith("zurich ");
    }

    @Test
    void keys_come_from_the_file_that_is_named_or_else_from_the_environment() throws Exception {
        var file = Files.writeString(folder.resolve("keys"), newKey("file"));
        var env = Map.of(SealingKeys.VARIABLE, newKey("variable"));
        assertThat(SealingKeys.of(options("--data-keys", file.toString()), env)).hasToString("DataKeys[file]");
        assertThat(SealingKeys.of(options(), env)).hasToString("DataKeys[variable]");
        assertThat(SealingKeys.of(options(), Map.of())).hasToString("DataKeys[]");
    }

    @ParameterizedTest
    @CsvSource({"rw-r--r--, true", "rw--w----, true", "rw-r-----, false", "rw-------, false"})
    void keys_that_others_can_read_are_used_and_warned_of(String permissions, boolean isWarned) throws Exception {
        var file = Files.writeString(folder.resolve("keys"), newKey("file"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        try (var log = new LogLines("io.longhaul.file.secret.PrivateFile")) {
            assertThat(SealingKeys.of(options("--data-keys", file.toString()), Map.of()))
                    .hasToString("DataKeys[file]");
            assertThat(log.all().stream().map(ILoggingEvent::getFormattedMessage))
                    .containsExactlyElementsOf(
                            isWarned
                                    ? List.of("other users can read or write " + file
                                            + ", which should be secret: chmod 600 " + file)
                                    : List.of());
        }
    }

    @Test
    void keys_that_cannot_be_read_are_a_sentence_for_the_user() {
        assertThatThrownBy(() -> SealingKeys.of(options("--data-keys", "nosuch"), Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("the data keys in nosuch cannot be read: there is no such file");
        assertThatThrownBy(() -> SealingKeys.of(options(), Map.of(SealingKeys.VARIABLE, "hunter2")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("line 1 of the data keys is no key")
                .hasMessageNotContaining("hunter2");
        assertThat(new Cli(user.terminal()).run(List.of("data-key", "a b"))).isEqualTo(2);
        assertThat(user.err()).contains("the id \"a b\" is none: use up to 32 letters");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.longhaul.file.settings.Recording;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.SLF4JServiceProvider;

class StandardErrorLoggingTest {

    private static final String NAME = "io.longhaul.receiver.admit.Requests";
    private static final Instant AT = Instant.parse("2026-11-22T10:20:30.004Z");

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream before = System.err;

    @BeforeEach
    void listen() {
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void leave() {
        System.setErr(before);
    }

    @Test
    void slf4j_finds_it() {
        assertThat(ServiceLoader.load(SLF4JServiceProvider.class))
                .hasAtLeastOneElementOfType(StandardErrorLogging.class);
    }

    @Test
    void what_is_logged_goes_to_standard_error() {
        logger(null).warn("the tool {} failed {} times", "echo", 2);
        assertThat(said.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .endsWith(" WARN  i.l.r.admit.Requests - the tool echo failed 2 times");
    }

    @ParameterizedTest
    @CsvSource({", 2", "debug, 4", "OFF, 0", "loud, 2", "Info, 3", "error, 1", "trace, 5", "ALL, 5"})
    void the_environment_says_the_level_and_nonsense_is_the_default(@Nullable String given, int lines) {
        var logger = logger(given);
        logger.error("one");
        logger.warn("two");
        logger.info("three");
        logger.debug("four");
        logger.trace("five");
        assertThat(said.toString(StandardCharsets.UTF_8).lines()).hasSize(lines);
    }

    @Test
    void a_server_logs_from_its_own_level_on_into_its_own_file(@TempDir Path folder) throws IOException {
        var file = folder.resolve("l.log");
        var log = new Recording.Log(Optional.empty(), true, new Recording.Files(Optional.of(file), 1 << 20, 1));
        var logger = logger("ERROR");
        try (var output = LogOutput.begin(Optional.of(Level.INFO), log)) {
            logger.info("a \u001b[2J call {}", "ended");
            logger.debug("not this");
        }
        logger.info("nor this, which comes behind the end");
        assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(Files.readString(file).lines())
                .singleElement()
                .asString()
                .contains("\"level\":\"info\"", "\"logger\":\"" + NAME + "\"")
                .contains("\"message\":\"a \\u001b[2J call ended\"");
    }

    @Test
    void a_log_that_cannot_be_written_is_told_before_anything_is_served(@TempDir Path folder) {
        var files = new Recording.Files(Optional.of(folder.resolve("none/l.log")), 1 << 20, 1);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> LogOutput.begin(Optional.empty(), new Recording.Log(Optional.empty(), false, files)))
                .withMessageContaining("l.log cannot be written (there is no such folder): name another file");
    }

    @Test
    void a_server_without_a_file_logs_to_standard_error() throws IOException {
        try (var output = LogOutput.begin(Optional.empty(), Recording.DEFAULT.log())) {
            logger("INFO").info("a call has ended");
            logger("INFO").debug("not this");
        }
        assertThat(said.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .endsWith(" INFO  i.l.r.admit.Requests - a call has ended");
    }

    @Test
    void a_line_has_the_time_the_level_the_logger_and_the_message() {
        var time = "%1$tT.%1$tL".formatted(AT.atZone(ZoneId.systemDefault()));
        assertThat(line("the tool echo failed", null))
                .isEqualTo(time + " WARN  i.l.r.admit.Requests - the tool echo failed");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 95, 995, 996, 1_996, 60_000, 3_600_000, -1})
    void each_line_has_its_own_time(long later) {
        var at = AT.plusMillis(later);
        assertThat(new LogLine(at, Level.WARN, NAME, "x", null).text())
                .startsWith("%1$tT.%1$tL ".formatted(at.atZone(ZoneId.systemDefault())));
    }

    @Test
    void a_short_name_of_a_logger_is_told_whole() {
        assertThat(new LogLine(AT, Level.WARN, "a.name.of.24.characters.", "x", null).text())
                .contains(" a.name.of.24.characters. - ");
        assertThat(new LogLine(AT, Level.WARN, "AClassInNoPackageAtAllWithALongName", "x", null).text())
                .contains(" AClassInNoPackageAtAllWithALongName - ");
    }

    @Test
    void text_of_others_in_a_message_makes_no_line_of_its_own() {
        assertThat(line("the tool a\n12:00:00.000 ERROR forged\rb\u2028c", null).lines())
                .singleElement()
                .asString()
                .endsWith("the tool a 12:00:00.000 ERROR forged b c");
    }

    @Test
    void a_text_log_in_a_file_has_no_control_characters_and_no_forged_lines_of_others(@TempDir Path folder)
            throws IOException {
        var file = folder.resolve("l.log");
        var log = new Recording.Log(Optional.empty(), false, new Recording.Files(Optional.of(file), 1 << 20, 1));
        var forged = "\n12:00:00.000 ERROR forged\r12:00:00.000 ERROR forged";
        try (var output = LogOutput.begin(Optional.of(Level.INFO), log)) {
            logger(null).info("no tool {}", "\u001b]0;x\u0007\u001b[2J\u202e");
            logger(null).warn("the API failed", new IllegalStateException("bad\u001b[2J" + forged));
        }
        var text = Files.readString(file);
        assertThat(text)
                .contains("no tool \\u001b]0;x\\u0007\\u001b[2J\\u202e", "IllegalStateException: bad\\u001b[2J")
                .doesNotContainPattern("[\\p{Cc}&&[^\n\t]]|\\p{Cf}");
        assertThat(text.lines().filter(line -> !line.startsWith("  "))).hasSize(2);
        assertThat(text.lines().filter(line -> line.contains("ERROR forged")))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("  12:00"));
    }

    @Test
    void an_exception_is_logged_with_its_trace() {
        assertThat(line("failed", new IllegalStateException("because")))
                .contains("IllegalStateException: because", "at " + getClass().getName());
        logger(null).warn("failed", new IllegalStateException("because"));
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("failed", "IllegalStateException: because");
    }

    private static String line(String message, @Nullable Throwable thrown) {
        return new LogLine(AT, Level.WARN, NAME, message, thrown).text();
    }

    private static Logger logger(@Nullable String level) {
        return new StandardErrorLogging(level).getLoggerFactory().getLogger(NAME);
    }
}

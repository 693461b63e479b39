package io.longhaul.cli.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandardErrorLoggingTest {

    private final LoggerContext context = new LoggerContext();
    private final Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);

    @Test
    void logback_finds_it() {
        assertThat(ServiceLoader.load(Configurator.class)).hasAtLeastOneElementOfType(StandardErrorLogging.class);
    }

    @Test
    void what_is_logged_goes_to_standard_error_and_nowhere_else() {
        new StandardErrorLogging(null).configure(context);
        assertThat(root.iteratorForAppenders())
                .toIterable()
                .singleElement()
                .isInstanceOfSatisfying(
                        ConsoleAppender.class,
                        appender -> assertThat(appender.getTarget()).isEqualTo("System.err"));
    }

    @ParameterizedTest
    @CsvSource({", WARN", "debug, DEBUG", "OFF, OFF", "loud, WARN"})
    void the_environment_says_the_level_and_nonsense_is_the_default(String given, String level) {
        new StandardErrorLogging(given).configure(context);
        assertThat(root.getLevel()).isEqualTo(Level.toLevel(level));
    }

    @Test
    void a_line_has_the_time_the_level_the_logger_and_the_message() {
        var at = Instant.parse("2026-11-22T10:20:30.004Z");
        var event = event("the tool echo failed", null);
        event.setInstant(at);
        var time = "%1$tT.%1$tL".formatted(at.atZone(ZoneId.systemDefault()));
        assertThat(new LogLine().doLayout(event))
                .isEqualTo(time + " WARN  i.l.r.admit.Requests - the tool echo failed" + System.lineSeparator());
    }

    @Test
    void text_of_others_in_a_message_makes_no_line_of_its_own() {
        assertThat(new LogLine()
                        .doLayout(event("the tool a\n12:00:00.000 ERROR forged\rb\u2028c", null))
                        .lines())
                .singleElement()
                .asString()
                .endsWith("the tool a 12:00:00.000 ERROR forged b c");
    }

    @Test
    void an_exception_is_logged_with_its_trace() {
        assertThat(new LogLine().doLayout(event("failed", new IllegalStateException("because"))))
                .contains("IllegalStateException: because", "at " + getClass().getName());
    }

    private LoggingEvent event(String message, Throwable thrown) {
        var logger = context.getLogger("io.longhaul.receiver.admit.Requests");
        return new LoggingEvent("", logger, Level.WARN, message, thrown, null);
    }
}

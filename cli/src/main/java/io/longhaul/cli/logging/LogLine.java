package io.longhaul.cli.logging;

import ch.qos.logback.classic.pattern.TargetLengthBasedClassNameAbbreviator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.ZoneId;

/**
 * One line for each event, and more only for the trace of an exception. Logback's own patterns would do the same, and
 * load the dates of the user's language at each start. Thread-safe.
 */
final class LogLine extends LayoutBase<ILoggingEvent> {

    private static final int LOGGER_LENGTH = 24;
    private final TargetLengthBasedClassNameAbbreviator names =
            new TargetLengthBasedClassNameAbbreviator(LOGGER_LENGTH);

    @Override
    public String doLayout(ILoggingEvent event) {
        // A message can hold text of others, which must not make lines of its own.
        var message = event.getFormattedMessage().replaceAll("\\R", " ");
        var line = String.format(
                "%1$tT.%1$tL %2$-5s %3$s - %4$s%n",
                event.getInstant().atZone(ZoneId.systemDefault()),
                event.getLevel(),
                names.abbreviate(event.getLoggerName()),
                message);
        return event.getThrowableProxy() == null ? line : line + ThrowableProxyUtil.asString(event.getThrowableProxy());
    }
}

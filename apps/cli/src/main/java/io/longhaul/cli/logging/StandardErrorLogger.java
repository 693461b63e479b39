// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.logging;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Writes events from one level on. Thread-safe. */
final class StandardErrorLogger extends LegacyAbstractLogger {

    private static final long serialVersionUID = 1;

    private final int lowest;

    StandardErrorLogger(String name, int lowest) {
        this.name = name;
        this.lowest = lowest;
    }

    @Override
    public boolean isTraceEnabled() {
        return isEnabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return isEnabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return isEnabled(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return isEnabled(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return isEnabled(Level.ERROR);
    }

    private boolean isEnabled(Level level) {
        return level.toInt() >= LogOutput.present().lowest(lowest);
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String message,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        var text = String.valueOf(MessageFormatter.basicArrayFormat(message, arguments));
        LogOutput.present().add(new LogLine(Instant.now(), level, name, text, thrown));
    }
}

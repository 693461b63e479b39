// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.logging;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Logs to standard error, and never to standard output, on which {@code serve --stdio} speaks the protocol. The
 * environment variable {@code LONGHAUL_LOG} is the level: {@code WARN} by default. A logging framework would do the
 * same, but would take a tenth of the time of a start. A server may log otherwise, see {@link LogOutput}. Thread-safe.
 */
public final class StandardErrorLogging implements SLF4JServiceProvider {

    private static final String LEVEL = "LONGHAUL_LOG";

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();
    private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
    private final int lowest;

    public StandardErrorLogging() {
        this(System.getenv(LEVEL));
    }

    StandardErrorLogging(@Nullable String level) {
        lowest = lowest(level);
    }

    /** Lets slf4j use this provider without searching all jars for others. */
    public static void choose() {
        System.setProperty("slf4j.provider", StandardErrorLogging.class.getName());
        // Otherwise slf4j reports the choice on standard error at each start.
        System.setProperty("slf4j.internal.verbosity", "WARN");
    }

    /** The level in the environment; empty where there is none. */
    public static Optional<String> environment(Map<String, String> env) {
        return Optional.ofNullable(env.get(LEVEL)).filter(level -> !level.isBlank());
    }

    private static int lowest(@Nullable String level) {
        return switch (level == null ? "" : level.toUpperCase(Locale.ROOT)) {
            case "OFF" -> Integer.MAX_VALUE;
            case "ERROR" -> Level.ERROR.toInt();
            case "INFO" -> Level.INFO.toInt();
            case "DEBUG" -> Level.DEBUG.toInt();
            case "TRACE", "ALL" -> Level.TRACE.toInt();
            default -> Level.WARN.toInt();
        };
    }

    @Override
    public void initialize() {
        // Nothing is left to do.
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> loggers.computeIfAbsent(name, unknown -> new StandardErrorLogger(unknown, lowest));
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0";
    }
}

package io.longhaul.cli.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.NopStatusListener;
import org.jspecify.annotations.Nullable;

/**
 * Logs to standard error, and never to standard output, on which {@code serve --stdio} speaks the protocol. The
 * environment variable {@code LONGHAUL_LOG} is the level: {@code WARN} by default. Logback finds this class by its
 * service file. A file of XML would do the same, and take an eighth of the time of a start.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class StandardErrorLogging extends ContextAwareBase implements Configurator {

    private static final String LEVEL = "LONGHAUL_LOG";

    private final @Nullable String level;

    public StandardErrorLogging() {
        this(System.getenv(LEVEL));
    }

    StandardErrorLogging(@Nullable String level) {
        this.level = level;
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        context.getStatusManager().add(new NopStatusListener());
        var line = new LogLine();
        line.start();
        var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
        encoder.setContext(context);
        encoder.setLayout(line);
        encoder.start();
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(level, Level.WARN));
        root.addAppender(appender);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}

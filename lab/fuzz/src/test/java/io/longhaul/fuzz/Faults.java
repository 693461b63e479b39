// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** What goes wrong on threads of a server: what is logged as an error, and what ends a thread. Thread-safe. */
final class Faults {

    private static final ConcurrentLinkedQueue<String> SEEN = new ConcurrentLinkedQueue<>();

    static {
        var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        var appender = new AppenderBase<ILoggingEvent>() {
            @Override
            protected void append(ILoggingEvent event) {
                var thrown = event.getThrowableProxy();
                SEEN.add(event.getFormattedMessage()
                        + (thrown == null ? "" : "\n" + ThrowableProxyUtil.asString(thrown)));
            }
        };
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> SEEN.add(thread.getName() + " ended with " + e));
    }

    private Faults() {}

    /** From now on they are seen. */
    static void watch() {
        SEEN.clear();
    }

    /** @throws AssertionError where there were some since the last time */
    static void check() {
        var first = SEEN.poll();
        SEEN.clear();
        Target.require(first == null, "the server says: %s", first);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What is logged under a name, at any level, from its creation to its end. */
public final class LogLines implements AutoCloseable {

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log;

    public LogLines(String name) {
        log = (Logger) LoggerFactory.getLogger(name);
        lines.start();
        log.addAppender(lines);
        log.setLevel(Level.DEBUG);
    }

    public List<ILoggingEvent> all() {
        return List.copyOf(lines.list);
    }

    public void clear() {
        lines.list.clear();
    }

    @Override
    public void close() {
        log.detachAppender(lines);
        log.setLevel(null);
    }
}

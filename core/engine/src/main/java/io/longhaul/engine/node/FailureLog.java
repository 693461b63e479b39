// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.node;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Logs failures. The message of a failure of the store says what failed, and the store logs the stack trace of failed
 * writes, once for all of them: such a failure takes one line here. A full disk, which the store reports once a minute,
 * is logged at debug level.
 */
public final class FailureLog {

    private FailureLog() {}

    public static void warn(Logger log, Throwable why, String message, Object... arguments) {
        log(log, Level.WARN, why, message, arguments);
    }

    public static void error(Logger log, Throwable why, String message, Object... arguments) {
        log(log, Level.ERROR, why, message, arguments);
    }

    private static void log(Logger log, Level level, Throwable why, String message, Object... arguments) {
        var line = log.atLevel(why instanceof StoreFullException ? Level.DEBUG : level);
        for (Object argument : arguments) {
            line = line.addArgument(argument);
        }
        if (why instanceof StoreException) {
            line.addArgument(why.getMessage()).log(message + ": {}");
        } else {
            line.setCause(why).log(message);
        }
    }
}

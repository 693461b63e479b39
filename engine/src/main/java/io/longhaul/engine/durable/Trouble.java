// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.store.StoreFullException;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/** Logs failures. A full disk is logged at debug level: the store itself reports it, once for all failed writes. */
final class Trouble {

    private Trouble() {}

    static void warn(Logger log, Throwable why, String message, Object... arguments) {
        log(log, Level.WARN, why, message, arguments);
    }

    static void error(Logger log, Throwable why, String message, Object... arguments) {
        log(log, Level.ERROR, why, message, arguments);
    }

    private static void log(Logger log, Level level, Throwable why, String message, Object... arguments) {
        log.atLevel(why instanceof StoreFullException ? Level.DEBUG : level)
                .setCause(why)
                .log(message, arguments);
    }
}

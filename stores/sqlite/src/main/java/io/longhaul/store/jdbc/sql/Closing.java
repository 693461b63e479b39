// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what has nothing more to lose. */
public final class Closing {
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    private Closing() {}

    /** Closes something, whose failure to close changes nothing. */
    public static void quietly(AutoCloseable open, String name) {
        try {
            open.close();
        } catch (Exception e) {
            LOG.debug("{} did not close cleanly", name, e);
        }
    }
}

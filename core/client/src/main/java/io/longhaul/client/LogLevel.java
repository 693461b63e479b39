// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import java.util.Locale;

/** How much a log message matters, the least first: the levels of syslog (RFC 5424). */
public enum LogLevel {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY;

    /** As the protocol spells it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

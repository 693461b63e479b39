// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The levels of RFC 5424, least first. */
public final class LogLevels {

    private static final List<String> ALL =
            List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");
    private static final String UNASKED = "info";

    private LogLevels() {}

    public static boolean reaches(String level, String least) {
        return ALL.indexOf(level) >= ALL.indexOf(least);
    }

    /**
     * The least level that a client wants.
     *
     * @param session the facts of the handshake, or null where the request has no session
     * @param request the level that came with the request, or null
     * @return null where the client wants no log lines
     */
    public static @Nullable String least(Session.@Nullable Facts session, @Nullable String request) {
        if (session == null) {
            return request;
        }
        return session.logLevel() == null ? UNASKED : session.logLevel();
    }
}

package io.longhaul.receiver.session;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The levels of RFC 5424, least first. */
public final class LogLevels {

    private static final List<String> ALL =
            List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");
    private static final String UNASKED = "info";

    private LogLevels() {}

    static boolean isKnown(String level) {
        return ALL.contains(level);
    }

    public static boolean reaches(String level, String least) {
        return ALL.indexOf(level) >= ALL.indexOf(least);
    }

    /**
     * The least level that a client wants.
     *
     * @param session its handshake's facts, or null where it stands alone
     * @param request what it asked for with the request, or null
     * @return null for nothing at all
     */
    public static @Nullable String least(Session.@Nullable Facts session, @Nullable String request) {
        if (session == null) {
            return request;
        }
        return session.logLevel() == null ? UNASKED : session.logLevel();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.call.Notice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The levels of log lines, and the least that a client wants. */
public final class LogLevels {

    private static final List<String> ALL = Notice.Log.LEVELS;
    private static final String UNASKED = "info";

    private LogLevels() {}

    /**
     * The level.
     *
     * @throws IllegalArgumentException where there is no such level
     */
    public static String checked(String level) {
        if (!ALL.contains(level)) {
            throw new IllegalArgumentException("'" + level + "' is no level of a log line: use "
                    + String.join(", ", ALL.subList(0, ALL.size() - 1)) + " or " + ALL.getLast());
        }
        return level;
    }

    public static boolean reaches(String level, String least) {
        return ALL.indexOf(level) >= ALL.indexOf(least);
    }

    /**
     * The least level that a client wants. A connection may have settled a session and carry stateless requests, too:
     * the level of the session is not theirs.
     *
     * @param inSession whether the request of the log lines belongs to the session
     * @param request the level that came with the request, or null
     * @return null where the client wants no log lines
     */
    public static @Nullable String least(Session session, boolean inSession, @Nullable String request) {
        var facts = inSession ? session.facts() : null;
        if (facts == null) {
            return request;
        }
        return facts.logLevel() == null ? UNASKED : facts.logLevel();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import java.sql.SQLException;

/** Provides sessions for one transaction each. */
public interface SessionSource {

    /** Takes a session without an open transaction. */
    SqlSession take() throws SQLException;

    /** Gives a session back, without an open transaction. */
    void giveBack(SqlSession session) throws SQLException;

    /** Releases the idle sessions; called when no more sessions are taken. */
    void close();
}

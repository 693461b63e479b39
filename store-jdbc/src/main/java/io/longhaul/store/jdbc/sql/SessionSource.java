// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import java.sql.SQLException;

/** Where sessions come from, for one transaction each. */
public interface SessionSource {

    /** A session in which no transaction is open. */
    SqlSession take() throws SQLException;

    /** Takes a session back, in which no transaction is open. */
    void giveBack(SqlSession session) throws SQLException;

    /** Releases the sessions that nobody has taken; called when nobody takes any more. */
    void close();
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.store.StoreException;
import java.sql.SQLException;

/** Says in words what went wrong in one store. Thread-safe. */
public interface Failures {

    /** The store, as a sentence names it, such as {@code task store /data/tasks.db}. */
    String store();

    /** A new exception of the caller's thread, whatever failed on one of the store's. */
    StoreException of(Throwable failure);

    /** Whether the storage can no longer be trusted to keep what it is told. */
    boolean isFinal(SQLException failure);

    /** Whether every write fails so at this time, so that none of those that share a transaction is to blame. */
    boolean isOfEveryWrite(SQLException failure);
}

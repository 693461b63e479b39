// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.store.StoreUnreachableException;
import java.sql.SQLException;

/** Describes and classifies the failures of one store. Thread-safe. */
public interface Failures {

    /** The name of the store for messages, such as {@code task store /data/tasks.db}. */
    String store();

    /** A new exception for the caller's thread, for a failure on a thread of the store. */
    default StoreException of(Throwable failure) {
        return switch (failure) {
            case StoreFullException full -> new StoreFullException(String.valueOf(full.getMessage()), full);
            case StoreUnreachableException away ->
                new StoreUnreachableException(String.valueOf(away.getMessage()), away);
            case StoreException told -> new StoreException(String.valueOf(told.getMessage()), told);
            case SQLException sql -> ofSql(sql);
            default -> new StoreException(store() + " failed: " + failure, failure);
        };
    }

    /** The same for a failure of the database. */
    StoreException ofSql(SQLException failure);

    /** Whether the storage can no longer be trusted to keep writes. */
    boolean isFinal(SQLException failure);

    /**
     * Whether every write fails in this way at present, so that the failure is not caused by one write of the
     * transaction.
     */
    boolean isOfEveryWrite(SQLException failure);
}

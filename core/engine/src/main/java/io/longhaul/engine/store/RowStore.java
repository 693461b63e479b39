// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import io.longhaul.engine.task.Payload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Small durable rows that are no tasks of this node: sessions of a receiver, rows of a requestor about tasks elsewhere.
 * Thread-safe; throws {@link StoreException} when the storage fails.
 */
public interface RowStore {

    /**
     * One row.
     *
     * @param space     the kind of the row, such as {@code session}
     * @param key       unique in its space
     * @param value     opaque
     * @param expiresAt when the row may be removed; null for never
     */
    record StoredRow(
            String space,
            String key,
            Payload value,
            @Nullable Instant expiresAt) {}

    /** Writes a row in place of any row with the same space and key; the row is durable when the method returns. */
    void put(StoredRow row);

    /**
     * Changes a row atomically: no change by another thread or process comes between, and a removed row is not written
     * again. The change is durable when the method returns.
     *
     * @param change gives the new row, with the same space and key; must have no side effects, since it may run several
     *               times
     * @return the row that was written; empty where there is no row, or the row has expired at {@code now}
     */
    Optional<StoredRow> change(String space, String key, Instant now, UnaryOperator<StoredRow> change);

    /** Whether other processes may write these rows, so that a row that was read before may have changed or be gone. */
    default boolean isShared() {
        return false;
    }

    /** The row, unless it has expired at {@code now}. */
    Optional<StoredRow> get(String space, String key, Instant now);

    /**
     * Rows of a space that have not expired at {@code now}, in the order of their keys, after {@code after} where
     * given.
     */
    List<StoredRow> list(String space, @Nullable String after, int limit, Instant now);

    /** Removes a row; nothing happens where there is none. */
    void remove(String space, String key);

    /**
     * How a listener hears of wakes.
     *
     * @param hears whether wakes arrive at this moment; a listener that hears nothing has to look often
     * @param end   ends the listening
     */
    record Listening(BooleanSupplier hears, Runnable end) {

        /** The listening at a store that wakes nothing. */
        public static final Listening DEAF = new Listening(() -> false, () -> {});
    }

    /**
     * Runs {@code woken} soon after any process has woken this name. {@code woken} must not block. A wake is a hint,
     * and may be lost even where wakes arrive: a listener must still look now and then.
     */
    default Listening listen(String name, Runnable woken) {
        return Listening.DEAF;
    }

    /** Wakes the listeners of a name; never fails. */
    default void wake(String name) {}

    /**
     * Removes up to {@code limit} rows that have expired at {@code now}, and says how many. A store may leave a row for
     * an hour after its expiry.
     */
    int sweep(Instant now, int limit);
}

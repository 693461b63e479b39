// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map that holds at most a given number of entries, and removes the eldest entry for each further one. A bounded set
 * is {@code Collections.newSetFromMap} of such a map. Not thread-safe.
 *
 * <p>There are two orders of age. In the order of insertion a {@link #put} of a known key keeps the age of its entry,
 * and {@link #putLast} renews it. In the order of use each {@link #get} and {@link #put} renews the age.
 */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1L;

    private final int most;

    private BoundedMap(int most, boolean byUse) {
        super(16, 0.75f, byUse);
        Require.that(most >= 1, "A bounded map holds at least one entry, not " + most + ".");
        this.most = most;
    }

    /** A map of at most {@code most} entries that removes the entry that was inserted first. */
    public static <K, V> BoundedMap<K, V> byInsertion(int most) {
        return new BoundedMap<>(most, false);
    }

    /** A map of at most {@code most} entries that removes the entry that was not used for the longest time. */
    public static <K, V> BoundedMap<K, V> byUse(int most) {
        return new BoundedMap<>(most, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.transport.Share;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A bounded map that all callers share. A full map evicts the least recently used value of the {@link Share} with the
 * most values: only callers with many values lose some. Thread-safe.
 *
 * @param <T> the values
 */
public final class FairMap<T> {

    private record Owned<T>(Share share, T value) {}

    private final int most;
    private final LinkedHashMap<String, Owned<T>> values = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Share, Integer> sizes = new HashMap<>();

    /** @param most the most values at once */
    public FairMap(int most) {
        this.most = most;
    }

    /** The value of the key, which counts as used now. */
    synchronized Optional<T> get(String key) {
        return Optional.ofNullable(values.get(key)).map(Owned::value);
    }

    /** Puts a value in place of any earlier value of the key, and gives the evicted values. */
    public synchronized List<T> put(String key, Share share, T value) {
        remove(key);
        values.put(key, new Owned<>(share, value));
        sizes.merge(share, 1, Integer::sum);
        var evicted = new ArrayList<T>();
        while (values.size() > most) {
            remove(oldestOfTheLargest()).ifPresent(evicted::add);
        }
        return evicted;
    }

    private String oldestOfTheLargest() {
        int largest = Collections.max(sizes.values());
        return values.entrySet().stream()
                .filter(entry -> sizes.get(entry.getValue().share()) == largest)
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    public synchronized Optional<T> remove(String key) {
        var owned = Optional.ofNullable(values.remove(key));
        owned.ifPresent(value -> sizes.computeIfPresent(value.share(), (share, size) -> size == 1 ? null : size - 1));
        return owned.map(Owned::value);
    }

    /** The least recently used values, in order, up to the first that is not {@code wanted}. */
    public synchronized List<T> oldest(Predicate<T> wanted) {
        return values.values().stream().map(Owned::value).takeWhile(wanted).toList();
    }

    synchronized int size() {
        return values.size();
    }

    /** All values, least recently used first. */
    synchronized List<T> all() {
        return oldest(value -> true);
    }
}

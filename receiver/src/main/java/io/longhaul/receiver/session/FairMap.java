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
 * FairMap for so many things of all callers together. Where it is full, a thing of the {@link Share} that has the most
 * makes way, the one that was used the longest ago: a caller that takes much loses by that, and one that has little
 * does not. Thread-safe.
 *
 * @param <T> the things
 */
public final class FairMap<T> {

    private record Placed<T>(Share share, T thing) {}

    private final int most;
    private final LinkedHashMap<String, Placed<T>> places = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Share, Integer> sizes = new HashMap<>();

    /** @param most how many things there are at once */
    public FairMap(int most) {
        this.most = most;
    }

    /** The thing of that key, which has been used now. */
    synchronized Optional<T> get(String key) {
        return Optional.ofNullable(places.get(key)).map(Placed::thing);
    }

    /** Puts a thing in, in place of another one of that key, and gives those that make way. */
    public synchronized List<T> put(String key, Share share, T thing) {
        remove(key);
        places.put(key, new Placed<>(share, thing));
        sizes.merge(share, 1, Integer::sum);
        var away = new ArrayList<T>();
        while (places.size() > most) {
            remove(oldestOfTheLargest()).ifPresent(away::add);
        }
        return away;
    }

    private String oldestOfTheLargest() {
        int largest = Collections.max(sizes.values());
        return places.entrySet().stream()
                .filter(place -> sizes.get(place.getValue().share()) == largest)
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    /** Takes a thing out; empty where it is not there any more. */
    public synchronized Optional<T> remove(String key) {
        Placed<T> placed = places.remove(key);
        if (placed == null) {
            return Optional.empty();
        }
        sizes.computeIfPresent(placed.share(), (share, size) -> size == 1 ? null : size - 1);
        return Optional.of(placed.thing());
    }

    /** Those that were used the longest ago, as long as they are {@code wanted}. */
    public synchronized List<T> oldest(Predicate<T> wanted) {
        return places.values().stream().map(Placed::thing).takeWhile(wanted).toList();
    }

    /** All things, those first that were used the longest ago. */
    synchronized List<T> all() {
        return places.values().stream().map(Placed::thing).toList();
    }
}

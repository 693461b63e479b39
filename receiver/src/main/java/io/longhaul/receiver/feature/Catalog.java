package io.longhaul.receiver.feature;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Things by unique names, in the order in which they were added. Readers see one state of it whole. Thread-safe.
 *
 * @param <T> what is listed
 */
public final class Catalog<T> {

    private static final int PAGE = 100;

    private record Entry<T>(long place, String name, T value) {}

    private record State<T>(List<Entry<T>> order, Map<String, T> byName) {}

    /**
     * A part of the list.
     *
     * @param next what the next part is asked for with, or null at the end
     */
    public record Page<T>(List<T> items, @Nullable String next) {}

    private final String kind;
    private final Function<T, String> name;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile State<T> state = new State<>(List.of(), Map.of());
    private volatile boolean used;
    private long places;

    /**
     * Makes an empty one.
     *
     * @param kind what it lists, in one word; no two lists of a server have the same
     */
    public Catalog(String kind, Function<T, String> name) {
        this.kind = kind;
        this.name = name;
    }

    /** Adds it at the end; false where there is one of that name. */
    public boolean add(T value) {
        lock.lock();
        try {
            var named = name.apply(value);
            if (state.byName().containsKey(named)) {
                return false;
            }
            List<Entry<T>> order = new ArrayList<>(state.order());
            order.add(new Entry<>(++places, named, value));
            settle(order);
            used = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes it out; false where there was none of that name. */
    public boolean remove(String named) {
        lock.lock();
        try {
            List<Entry<T>> order = new ArrayList<>(state.order());
            boolean removed = order.removeIf(entry -> entry.name().equals(named));
            if (removed) {
                settle(order);
            }
            return removed;
        } finally {
            lock.unlock();
        }
    }

    public Optional<T> find(String named) {
        return Optional.ofNullable(state.byName().get(named));
    }

    /** All, in order. */
    public List<T> all() {
        return state.order().stream().map(Entry::value).toList();
    }

    /** Whether there is or was anything in it, so that a server has to answer for it. */
    public boolean isUsed() {
        return used;
    }

    /**
     * The first part, or that which follows another. What is added or removed meanwhile shifts nothing else.
     *
     * @return empty for a cursor that no page of this list gave
     */
    public Optional<Page<T>> page(@Nullable String cursor) {
        if (cursor == null) {
            return Optional.of(after(0));
        }
        return Cursors.open(kind + ":", cursor)
                .filter(place -> place.matches("[1-9][0-9]{0,15}"))
                .map(Long::parseLong)
                .map(this::after);
    }

    private Page<T> after(long place) {
        List<Entry<T>> rest = state.order().stream()
                .filter(entry -> entry.place() > place)
                .limit(PAGE + 1L)
                .toList();
        boolean more = rest.size() > PAGE;
        List<Entry<T>> part = more ? rest.subList(0, PAGE) : rest;
        String next =
                more ? Cursors.seal(kind + ":", Long.toString(part.getLast().place())) : null;
        return new Page<>(part.stream().map(Entry::value).toList(), next);
    }

    private void settle(List<Entry<T>> order) {
        Map<String, T> byName = new HashMap<>();
        order.forEach(entry -> byName.put(entry.name(), entry.value()));
        state = new State<>(List.copyOf(order), byName);
    }
}

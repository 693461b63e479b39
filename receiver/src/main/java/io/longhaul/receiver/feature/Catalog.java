// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Things by unique names, in the order in which they were added. Readers see one state of the catalog whole.
 * Thread-safe.
 *
 * @param <T> what is listed
 */
public final class Catalog<T> {

    private static final int PAGE = 100;

    private record Item<T>(long place, String name, T value) {}

    private record Snapshot<T>(List<Item<T>> order, Map<String, T> byName) {}

    /**
     * A part of the list.
     *
     * @param next what the next part is asked for with, or null at the end
     */
    public record Page<T>(List<T> items, @Nullable String next) {}

    private final String kind;
    private final Function<T, String> name;
    private final Runnable onChange;
    private volatile Snapshot<T> now = new Snapshot<>(List.of(), Map.of());
    private volatile boolean used;
    private long places;

    /**
     * @param kind     what it lists, in one word; no two lists of a server have the same
     * @param onChange runs after each change
     */
    Catalog(String kind, Function<T, String> name, Runnable onChange) {
        this.kind = kind;
        this.name = name;
        this.onChange = onChange;
    }

    /** Adds a value at the end; false where there is one of its name. */
    public boolean add(T value) {
        String named = name.apply(value);
        return change(order -> find(named).isEmpty() && order.add(new Item<>(++places, named, value)));
    }

    /** Takes a value out; false where there was none of that name. */
    public boolean remove(String named) {
        return change(order -> order.removeIf(item -> item.name().equals(named)));
    }

    /** @param change makes the new order of the old one, or gives false to leave all as it is */
    private boolean change(Predicate<List<Item<T>>> change) {
        synchronized (this) {
            List<Item<T>> order = new ArrayList<>(now.order());
            if (!change.test(order)) {
                return false;
            }
            Map<String, T> byName = new HashMap<>();
            order.forEach(item -> byName.put(item.name(), item.value()));
            now = new Snapshot<>(List.copyOf(order), byName);
            used = true;
        }
        onChange.run();
        return true;
    }

    public Optional<T> find(String named) {
        return Optional.ofNullable(now.byName().get(named));
    }

    public List<T> all() {
        return now.order().stream().map(Item::value).toList();
    }

    /** Has the server answer for it, also while it holds nothing. */
    void use() {
        used = true;
    }

    /** Whether the catalog holds or held anything, so that a server has to answer for it. */
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
        List<Item<T>> rest = now.order().stream()
                .filter(item -> item.place() > place)
                .limit(PAGE + 1L)
                .toList();
        boolean more = rest.size() > PAGE;
        List<Item<T>> part = more ? rest.subList(0, PAGE) : rest;
        String next =
                more ? Cursors.seal(kind + ":", Long.toString(part.getLast().place())) : null;
        return new Page<>(part.stream().map(Item::value).toList(), next);
    }
}

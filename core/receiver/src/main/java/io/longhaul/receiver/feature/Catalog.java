// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Values by unique names, in the order in which they were added. A reader sees one consistent state of the catalog.
 * Thread-safe.
 *
 * @param <T> the type of the values
 */
public final class Catalog<T> {

    private static final int PAGE = 100;

    private record Item<T>(long place, String name, T value) {}

    private record Snapshot<T>(List<Item<T>> order, Map<String, T> byName) {}

    /**
     * A part of the list.
     *
     * @param next the cursor of the next part, or null at the end
     */
    public record Page<T>(List<T> items, @Nullable String next) {}

    private final String kind;
    private final Function<T, String> name;
    private final Runnable onChange;
    private volatile Snapshot<T> now = new Snapshot<>(List.of(), Map.of());
    private volatile boolean used;
    private long places;

    /**
     * @param kind     the kind of values, in one word that is unique among the lists of a server
     * @param onChange runs after each change
     */
    Catalog(String kind, Function<T, String> name, Runnable onChange) {
        this.kind = kind;
        this.name = name;
        this.onChange = onChange;
    }

    /** Adds a value at the end; false where its name is taken. */
    public boolean add(T value) {
        String named = name.apply(value);
        return change(order -> find(named).isEmpty() && order.add(new Item<>(++places, named, value)));
    }

    /** Puts a value in the place of the one with its name, or at the end: a reader finds one of them at any time. */
    public void put(T value) {
        change(order -> put(order, value));
    }

    private boolean put(List<Item<T>> order, T value) {
        String named = name.apply(value);
        order.replaceAll(item -> item.name().equals(named) ? new Item<>(item.place(), named, value) : item);
        return order.stream().anyMatch(item -> item.name().equals(named))
                || order.add(new Item<>(++places, named, value));
    }

    /** {@linkplain #put Puts} some values and removes others, in one change. */
    public void change(List<T> values, Set<String> gone) {
        change(order -> {
            boolean isLess = order.removeIf(item -> gone.contains(item.name()));
            values.forEach(value -> put(order, value));
            return isLess || !values.isEmpty();
        });
    }

    /** Removes a value; false where there was none with this name. */
    public boolean remove(String named) {
        return change(order -> order.removeIf(item -> item.name().equals(named)));
    }

    /** @param change changes the list, or gives false to leave the catalog as it is */
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

    /** Has the server answer requests for this catalog, even while it is empty. */
    void use() {
        used = true;
    }

    /** Whether the catalog holds or held a value, so that the server must answer requests for it. */
    public boolean isUsed() {
        return used;
    }

    /**
     * The first part, or the part at a cursor. Additions and removals meanwhile do not shift other values.
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

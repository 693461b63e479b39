// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.feature;

import io.longhaul.gateway.link.UpstreamServer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The features of one kind that a gateway serves under unique names, with their upstreams. A served name stays with its
 * upstream, whatever other upstreams list later. Not thread-safe.
 *
 * @param <D> the type of a definition
 */
final class FeatureTable<D> {

    private static final Logger LOG = LoggerFactory.getLogger(FeatureTable.class);

    private final String kind;
    private final Naming naming;
    private Set<String> reserved;
    private final Map<String, Thing<D>> things = new LinkedHashMap<>();

    /**
     * One feature.
     *
     * @param own the name at the upstream
     */
    record Thing<D>(UpstreamServer upstream, String own, D definition) {
        boolean isOf(UpstreamServer other) {
            return upstream.name().equals(other.name());
        }
    }

    /** Chooses a name; empty where no name is free. */
    interface Naming {
        Optional<String> name(UpstreamServer upstream, String own, Predicate<String> isTaken);
    }

    /** The place where features are served. */
    interface Outlet<D> {
        /**
         * Serves a feature.
         *
         * @throws IllegalArgumentException where the feature cannot be served, with the reason
         */
        void add(String name, Thing<D> thing);

        /**
         * Serves a feature in the place of another one with its name, which is served until then.
         *
         * @throws IllegalArgumentException where the feature cannot be served, with the reason
         */
        void replace(String name, Thing<D> thing);

        void remove(String name);
    }

    /** @param reserved names that other features have */
    FeatureTable(String kind, Naming naming, Set<String> reserved) {
        this.kind = kind;
        this.reserved = reserved;
        this.naming = naming;
    }

    /** Leaves names to other features, which are served in the place of any of these that had them. */
    void reserve(Set<String> names) {
        reserved = names;
        things.keySet().removeAll(names);
    }

    Optional<Thing<D>> find(String name) {
        return Optional.ofNullable(things.get(name));
    }

    /** The first thing whose name fits, in the order in which things came. */
    Optional<Thing<D>> first(Predicate<String> fits) {
        return things.entrySet().stream()
                .filter(it -> fits.test(it.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    int count() {
        return things.size();
    }

    /** The number of things of one upstream. */
    int count(String upstream) {
        return (int) things.values().stream()
                .filter(thing -> thing.upstream().name().equals(upstream))
                .count();
    }

    /**
     * Serves exactly what an upstream lists now.
     *
     * @return whether a name is free from now on, for which a feature of another upstream may have waited
     */
    boolean update(UpstreamServer upstream, SequencedMap<String, D> listed, Outlet<D> outlet) {
        var before = new HashMap<String, String>();
        for (var entry : Map.copyOf(things).entrySet()) {
            var thing = entry.getValue();
            if (thing.isOf(upstream)) {
                before.put(thing.own(), entry.getKey());
                if (!listed.containsKey(thing.own())) {
                    remove(entry.getKey(), outlet);
                }
            }
        }
        listed.forEach((own, definition) -> {
            var name = before.get(own);
            var thing = new Thing<>(upstream, own, definition);
            if (name == null) {
                add(naming.name(upstream, own, this::isTaken), thing, outlet);
            } else if (!thing.equals(things.get(name))) {
                replace(name, thing, outlet);
            }
        });
        return !things.keySet().containsAll(before.values());
    }

    private boolean isTaken(String name) {
        return reserved.contains(name) || things.containsKey(name);
    }

    private void add(Optional<String> name, Thing<D> thing, Outlet<D> outlet) {
        if (name.isEmpty()) {
            LOG.warn("the {} {} of {} is left out: its name is taken", kind, thing.own(), thing.upstream());
            return;
        }
        try {
            outlet.add(name.get(), thing);
            things.put(name.get(), thing);
        } catch (IllegalArgumentException e) {
            tellLeftOut(thing, e);
        }
    }

    private void replace(String name, Thing<D> thing, Outlet<D> outlet) {
        try {
            outlet.replace(name, thing);
            things.put(name, thing);
        } catch (IllegalArgumentException e) {
            tellLeftOut(thing, e);
            remove(name, outlet);
        }
    }

    private void remove(String name, Outlet<D> outlet) {
        things.remove(name);
        outlet.remove(name);
    }

    private void tellLeftOut(Thing<D> thing, IllegalArgumentException why) {
        LOG.warn("the {} {} of {} is left out: {}", kind, thing.own(), thing.upstream(), why.getMessage());
    }
}

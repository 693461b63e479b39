// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.feature;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.ServerAddress;
import io.longhaul.gateway.link.UpstreamServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is served when the list of a server changes. */
class FeatureTableTest {

    private static final UpstreamServer UPSTREAM =
            UpstreamServer.of("tests", new ServerAddress.Http(URI.create("http://127.0.0.1:1/mcp")));

    private final FeatureTable<String> offered =
            new FeatureTable<>("tool", (upstream, own, isTaken) -> Optional.of(own), Set.of());
    private final List<String> served = new ArrayList<>();

    private final FeatureTable.Outlet<String> outlet = new FeatureTable.Outlet<>() {
        @Override
        public void add(String name, FeatureTable.Thing<String> thing) {
            served.add("add " + name + " " + checked(thing));
        }

        @Override
        public void replace(String name, FeatureTable.Thing<String> thing) {
            served.add("replace " + name + " " + checked(thing));
        }

        @Override
        public void remove(String name) {
            served.add("remove " + name);
        }

        private static String checked(FeatureTable.Thing<String> thing) {
            if (thing.definition().equals("bad")) {
                throw new IllegalArgumentException("it is bad");
            }
            return thing.definition();
        }
    };

    private void list(SequencedMap<String, String> listed) {
        offered.update(UPSTREAM, listed, outlet);
    }

    @SafeVarargs
    private static SequencedMap<String, String> listing(Map.Entry<String, String>... listed) {
        var all = new LinkedHashMap<String, String>();
        for (var one : listed) {
            all.put(one.getKey(), one.getValue());
        }
        return all;
    }

    @Test
    void what_has_changed_is_replaced_and_never_gone_in_between() {
        list(listing(Map.entry("a", "1"), Map.entry("b", "1"), Map.entry("c", "1")));
        list(listing(Map.entry("a", "2"), Map.entry("b", "1"), Map.entry("d", "1")));
        assertThat(served).containsExactly("add a 1", "add b 1", "add c 1", "remove c", "replace a 2", "add d 1");
    }

    @Test
    void what_has_changed_to_something_that_cannot_be_served_is_gone_until_it_changes_again() {
        list(listing(Map.entry("a", "1")));
        list(listing(Map.entry("a", "bad")));
        assertThat(offered.find("a")).isEmpty();
        list(listing(Map.entry("a", "2")));
        assertThat(served).containsExactly("add a 1", "remove a", "add a 2");
    }
}

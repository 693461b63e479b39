// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.feature;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.ServerAddress;
import io.longhaul.gateway.link.Offer;
import io.longhaul.gateway.link.UpstreamServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The names under which a gateway serves what its upstreams offer. */
class ServedNamesTest {

    @Test
    void names_are_free_first_and_then_behind_the_name_of_the_server() {
        var address = new ServerAddress.Command(List.of("true"));
        var one = UpstreamServer.of("one", address);
        var prefixed = new UpstreamServer(
                "one",
                address,
                new Offer("p_", Offer.NamedTools.NONE, new Offer.Choice(List.of(), List.of()), Map.of(), false),
                one.reach(),
                one.bounds());
        assertThat(ServedNames.of(one, "a/b c", name -> false)).contains("a_b_c");
        assertThat(ServedNames.of(one, "run", "run"::equals)).contains("one_run");
        assertThat(ServedNames.of(one, "run", name -> true)).isEmpty();
        assertThat(ServedNames.of(prefixed, "run", name -> false)).contains("p_run");
        assertThat(ServedNames.of(one, "x".repeat(200), name -> false).orElseThrow())
                .hasSize(128);
    }
}

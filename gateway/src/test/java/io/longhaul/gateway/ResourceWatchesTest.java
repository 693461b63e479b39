// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which resources a gateway watches; {@link PassedFeaturesTest} shows what clients are told. */
class ResourceWatchesTest {

    @Test
    void no_more_than_a_thousand_resources_are_watched() {
        var watches = new ResourceWatches(uri -> {});
        try (var away = new Link(Upstream.launch("away", List.of("true")), listing -> {})) {
            for (int i = 0; i <= ResourceWatches.MOST; i++) {
                watches.begin("notes://day/" + i, away);
                watches.begin("notes://day/" + i, away);
            }
        }
        assertThat(watches.count()).isEqualTo(1_000);
    }
}

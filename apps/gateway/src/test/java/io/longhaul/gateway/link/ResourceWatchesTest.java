// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.ServerAddress;
import io.longhaul.gateway.Behind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which resources a gateway watches; {@code ForwardedFeaturesTest} shows what clients are told. */
@Timeout(120)
class ResourceWatchesTest {

    @Test
    void no_more_than_a_thousand_resources_are_watched() {
        var watches = new ResourceWatches(uri -> {});
        try (var away =
                new Link(UpstreamServer.of("away", new ServerAddress.Command(List.of("true"))), listing -> {})) {
            for (int i = 0; i <= ResourceWatches.MOST; i++) {
                watches.begin("notes://day/" + i, away);
                watches.begin("notes://day/" + i, away);
            }
        }
        assertThat(watches.count()).isEqualTo(1_000);
    }

    @Test
    void a_resource_beyond_the_limit_is_watched_in_place_of_the_one_that_was_watched_first(@TempDir Path folder)
            throws Exception {
        var told = new LinkedBlockingQueue<String>();
        var watches = new ResourceWatches(told::add, 2);
        try (var behind = new Behind(folder.resolve("behind.db"));
                var link =
                        new Link(UpstreamServer.of("tests", new ServerAddress.Http(behind.address())), listing -> {})) {
            link.start();
            link.awaitLook(Duration.ofMinutes(1));
            for (var day : List.of("first", "second", "third")) {
                watches.begin("notes://day/" + day, link);
            }
            assertThat(watches.count()).isEqualTo(2);
            told.clear();
            behind.running.notifyResourceUpdated("notes://day/third");
            String changed;
            do {
                changed = told.take();
            } while (!changed.equals("notes://day/third"));
        }
    }
}

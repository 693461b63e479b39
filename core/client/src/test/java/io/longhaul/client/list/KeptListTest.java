// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.list;

import static io.longhaul.client.Scripts.HANDSHAKE;
import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.script;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import io.longhaul.client.Scripts;
import io.longhaul.client.TestTime;
import io.longhaul.client.Transcript;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a client keeps the lists of a server. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class KeptListTest {

    private static final String CHANGED = "<~ {\"method\":\"notifications/resources/list_changed\"}\n";

    private final TestTime time = new TestTime();

    private McpClient client(String... parts) {
        return Scripts.over(script(parts), time).connect();
    }

    private static String listed(String uri, String hints) {
        return "-> resources/list\n<- {\"resources\":[{\"uri\":\"" + uri + "\"}]" + hints + "}\n";
    }

    private static String first(McpClient client) {
        return client.resources().list().getFirst().uri();
    }

    @Test
    void a_list_is_kept_for_as_long_as_its_server_says() throws Exception {
        try (var client =
                client(STATELESS, listed("a:1", ",\"ttlMs\":5000,\"cacheScope\":\"private\""), listed("a:2", ""))) {
            assertThat(first(client)).isEqualTo("a:1");
            time.pause(Duration.ofMillis(4999));
            assertThat(first(client)).isEqualTo("a:1");
            time.pause(Duration.ofMillis(1));
            assertThat(first(client)).isEqualTo("a:2");
        }
    }

    @Test
    void of_several_pages_the_one_counts_that_is_stale_first() throws Exception {
        try (var client = client(
                STATELESS,
                listed("a:1", ",\"ttlMs\":5000,\"nextCursor\":\"2\""),
                listed("a:2", ",\"ttlMs\":1000,\"nextCursor\":\"3\""),
                listed("a:3", ",\"ttlMs\":5000"),
                listed("a:4", ""))) {
            assertThat(client.resources().list()).hasSize(3);
            time.pause(Duration.ofMillis(1000));
            assertThat(first(client)).isEqualTo("a:4");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"ttlMs\":0", ",\"ttlMs\":-1", ",\"ttlMs\":\"soon\""})
    void a_list_without_a_time_is_read_each_time(String hint) {
        try (var client = client(HANDSHAKE, listed("a:1", hint), listed("a:2", hint))) {
            assertThat(first(client)).isEqualTo("a:1");
            assertThat(first(client)).isEqualTo("a:2");
        }
    }

    @Test
    void a_list_that_has_changed_is_read_again_however_fresh_it_was() {
        try (var client = client(
                STATELESS,
                listed("a:1", ",\"ttlMs\":5000"),
                "-> prompts/list\n" + CHANGED + "<- {\"prompts\":[]}",
                listed("a:2", ""))) {
            assertThat(first(client)).isEqualTo("a:1");
            client.prompts().list();
            assertThat(first(client)).isEqualTo("a:2");
        }
    }

    @Test
    void a_list_that_changes_while_it_is_read_is_not_kept() {
        try (var client = client(
                STATELESS,
                "-> resources/list\n" + CHANGED + "<- {\"resources\":[{\"uri\":\"a:1\"}],\"ttlMs\":5000}",
                listed("a:2", ""))) {
            assertThat(first(client)).isEqualTo("a:1");
            assertThat(first(client)).isEqualTo("a:2");
        }
    }

    @Test
    void tools_are_kept_so_too_and_a_change_of_them_makes_the_next_call_look_again() throws Exception {
        var hinted = Scripts.TOOLS.strip().replaceFirst("]}$", "],\"ttlMs\":5000}");
        try (var client = client(
                STATELESS,
                hinted,
                "-> prompts/list\n<~ {\"method\":\"notifications/tools/list_changed\"}\n<- {\"prompts\":[]}",
                hinted,
                "-> tools/call\n<- {\"content\":[]}")) {
            assertThat(client.tools()).isEqualTo(client.tools()).hasSize(1);
            client.prompts().list();
            client.call("report", Scripts.NO_ARGUMENTS).await();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import io.longhaul.client.ToolInfo;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway before a server that takes connections and answers nothing, as it does until a test lets it. */
@Timeout(20)
class SilentServerTest {

    @TempDir
    Path folder;

    /** A gateway that did not wait for its servers. */
    private Front front(Upstream... upstreams) {
        var http = Http.onPort(0);
        var gateway = Gateway.to(SqliteTaskStore.at(folder.resolve("gateway.db")), upstreams);
        return new Front(gateway, gateway.serve(McpServer.builder("gateway", "1.0"), http), http.url());
    }

    private static void awaitTool(McpClient client, String name) throws InterruptedException {
        ListingsTest.awaitTool(client, tool -> tool.name().equals(name));
    }

    @Test
    void the_other_servers_are_served_at_the_first_start_and_the_silent_one_joins_when_it_answers() throws Exception {
        try (var silent = new ForeignServer();
                var behind = new Behind(folder.resolve("behind.db"))) {
            silent.fallSilent();
            try (var front = front(
                            Upstream.at("silent", silent.address()),
                            Upstream.at("good", behind.address()).quickTools("echo"));
                    var client = front.client().connect()) {
                awaitTool(client, "echo");
                assertThat(GatewayTest.text(
                                client.call("echo", Map.of("text", "x")).await()))
                        .contains("echo x");
                assertThat(client.resources().list()).isNotEmpty();
                assertThat(client.prompts().list()).isNotEmpty();
                client.ping();
                assertThat(client.tools()).extracting(ToolInfo::name).doesNotContain("pay");
                silent.speak();
                awaitTool(client, "pay");
            }
        }
    }

    @Test
    void a_silent_server_is_listed_at_a_later_start_as_it_was_last_and_a_call_waits_for_it() throws Exception {
        try (var silent = new ForeignServer()) {
            var upstream = Upstream.at("silent", silent.address());
            try (var front = front(upstream);
                    var client = front.client().connect()) {
                awaitTool(client, "pay");
            }
            silent.open();
            silent.fallSilent();
            try (var front = front(upstream);
                    var client = front.client().connect()) {
                assertThat(client.tools()).extracting(ToolInfo::name).containsExactly("pay", "store");
                var call = client.call("pay", Json.EMPTY_OBJECT);
                silent.speak();
                assertThat(GatewayTest.text(call.await())).contains("paid");
            }
        }
    }

    /** A host that is answered from memory at its next start is told the same then. */
    @Test
    void what_a_gateway_offers_does_not_depend_on_who_has_answered() throws Exception {
        try (var silent = new ForeignServer()) {
            silent.fallSilent();
            try (var front = front(Upstream.at("silent", silent.address()).longTools("pay"));
                    var early = front.client().connect()) {
                assertThat(early.tools()).isEmpty();
                silent.speak();
                awaitTool(early, "pay");
                try (var late = front.client().connect()) {
                    assertThat(early.server()).isEqualTo(late.server());
                }
                assertThat(early.server().hasTasks()).isTrue();
                assertThat(early.server().capabilities().toString()).contains("completions");
                assertThat(early.call("pay", Json.EMPTY_OBJECT).reference()).isPresent();
            }
        }
    }

    @Test
    void the_names_of_a_server_with_a_prefix_do_not_depend_on_who_answers_first() throws Exception {
        try (var silent = new ForeignServer();
                var quick = new ForeignServer()) {
            silent.fallSilent();
            try (var front = front(
                            Upstream.at("silent", silent.address()).prefix("bank_"),
                            Upstream.at("quick", quick.address()));
                    var client = front.client().connect()) {
                awaitTool(client, "pay");
                silent.speak();
                awaitTool(client, "bank_pay");
                assertThat(client.tools())
                        .extracting(ToolInfo::name)
                        .containsExactlyInAnyOrder("pay", "store", "bank_pay", "bank_store");
            }
        }
    }

    @Test
    void code_that_needs_all_servers_waits_for_them() throws Exception {
        try (var silent = new ForeignServer()) {
            silent.fallSilent();
            try (var front = front(Upstream.at("silent", silent.address()))) {
                assertThat(front.gateway().awaitUpstreams(Duration.ZERO)).isFalse();
                silent.speak();
                assertThat(front.gateway().awaitUpstreams(Duration.ofDays(1))).isTrue();
                assertThat(front.gateway().tools()).isEqualTo(2);
            }
        }
    }
}

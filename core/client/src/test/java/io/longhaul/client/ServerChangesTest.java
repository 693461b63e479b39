// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.script;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.Timeouts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of lists and resources that a scripted server tells. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class ServerChangesTest {

    private static final String STATELESS =
            Scripts.STATELESS.substring(Scripts.STATELESS.indexOf("-> server/discover"));
    private static final String HANDSHAKE = Scripts.HANDSHAKE.replace(
            "\"tools\":{}", "\"tools\":{},\"resources\":{\"subscribe\":true},\"prompts\":{\"listChanged\":true}");
    private static final String OVER_PIPE = HANDSHAKE
            .replace("<= 400", "<! -32601 Unknown")
            .lines()
            .filter(line -> !line.matches("(-h|<h|->. DELETE) .*"))
            .collect(Collectors.joining("\n"));
    private static final String LISTEN_TO_A =
            "-> subscriptions/listen {\"notifications\":{\"resourceSubscriptions\":[\"note://a\"]}}\n";
    private static final String A_CHANGED = updated("note://a", "");

    private final TestTime time = new TestTime();
    private final LinkedBlockingQueue<Object> told = new LinkedBlockingQueue<>();

    private McpClient client(String... parts) {
        return Scripts.over(script(parts), time).connect();
    }

    private static String updated(String uri, String meta) {
        return "<~ {\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"" + uri + "\"" + meta + "}}\n";
    }

    private static String acknowledged(String filter, String meta) {
        return "<~ {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{" + filter
                + "}" + meta + "}}\n";
    }

    private static String acknowledgedA(String meta) {
        return acknowledged("\"resourceSubscriptions\":[\"note://a\"]", meta);
    }

    private static String of(int subscription) {
        return ",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":" + subscription + "}";
    }

    @Test
    void a_change_of_a_resource_is_told_on_a_subscription() throws Exception {
        var script = script(STATELESS, LISTEN_TO_A, acknowledgedA(""), ".. {\"go\":true}", A_CHANGED, "<.");
        try (var client = Scripts.over(script, time).connect();
                var watching = client.resources().onChange("note://a", () -> told.add("changed"))) {
            assertThat(told).isEmpty();
            script.go();
            assertThat(told.take()).isEqualTo("changed");
        }
    }

    @Test
    void changes_that_the_server_does_not_tell_of_are_unsupported() {
        try (var client = client(STATELESS, LISTEN_TO_A, acknowledged("", ""), "<.")) {
            assertThatThrownBy(() -> client.resources().onChange("note://a", () -> {}))
                    .isInstanceOf(UnsupportedByServerException.class);
        }
        try (var client = client(STATELESS, "-> subscriptions/listen\n<! -32601 Unknown")) {
            assertThatThrownBy(() -> client.onListChange(told::add)).isInstanceOf(RefusedException.class);
        }
        try (var client = client(STATELESS, "-> subscriptions/listen\n<- {}\n->* subscriptions/listen\n<! -1 No")) {
            assertThatThrownBy(() -> client.onListChange(told::add)).isInstanceOf(UnusableAnswerException.class);
        }
        try (var client = client(Scripts.HANDSHAKE)) {
            assertThatThrownBy(() -> client.resources().onChange("note://a", () -> {}))
                    .isInstanceOf(UnsupportedByServerException.class);
            assertThatThrownBy(() -> client.onListChange(told::add)).isInstanceOf(UnsupportedByServerException.class);
        }
    }

    @Test
    void a_server_that_never_says_of_which_changes_it_tells_is_given_up() throws Exception {
        var script = script(STATELESS, "-> subscriptions/listen\n<.");
        try (var client = Scripts.over(script, time).connect()) {
            var failure = new CompletableFuture<Throwable>();
            Thread.ofVirtual().start(() -> failure.complete(catchThrowable(() -> client.onListChange(told::add))));
            script.await(JsonTree.read(Json.raw("{\"method\":\"subscriptions/listen\"}")));
            time.ringOnceSet(Timeouts.DEFAULT.request());
            assertThat(failure.get()).isInstanceOf(ServerUnreachableException.class);
        }
    }

    @Test
    void a_subscription_that_broke_is_opened_again_and_what_may_have_been_missed_is_told() throws Exception {
        var script = script(
                STATELESS,
                "-> resources/list\n<- {\"resources\":[],\"ttlMs\":600000}",
                "-> subscriptions/listen {\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":true,"
                        + "\"resourcesListChanged\":true}}",
                acknowledged("\"promptsListChanged\":true", ""),
                ".. {\"go\":true}",
                "<x",
                "-> subscriptions/listen",
                acknowledged("\"promptsListChanged\":true", ""),
                "<.",
                "-> resources/list\n<- {\"resources\":[]}");
        try (var client = Scripts.over(script, time).connect()) {
            client.resources().list();
            try (var watching = client.onListChange(told::add)) {
                client.resources().list();
                script.go();
                assertThat(List.of(told.take(), told.take(), told.take()))
                        .containsExactly(ServerList.TOOLS, ServerList.RESOURCES, ServerList.PROMPTS);
                client.resources().list();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<- {\"resultType\":\"complete\"}"})
    void over_a_pipe_a_subscription_that_the_server_cancels_is_opened_again(String result) throws Exception {
        var script = script(
                STATELESS,
                LISTEN_TO_A,
                acknowledgedA(of(2)),
                "<~ {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2" + of(2) + "}}",
                result,
                LISTEN_TO_A,
                acknowledgedA(of(3)),
                "-> notifications/cancelled {\"requestId\":3}");
        try (var client = Scripts.overStdio(script, time).connect();
                var watching = client.resources().onChange("note://a", () -> told.add("may have changed"))) {
            assertThat(told.take()).isEqualTo("may have changed");
        }
    }

    @Test
    void over_a_pipe_each_subscription_hears_what_is_its_own_and_is_cancelled_in_the_end() throws Exception {
        var script = script(
                STATELESS,
                LISTEN_TO_A,
                acknowledgedA(of(2)),
                "-> subscriptions/listen {\"notifications\":{\"resourceSubscriptions\":[\"note://\"]}}",
                acknowledged("\"resourceSubscriptions\":[\"note://\"]", of(3)),
                ".. {\"go\":true}",
                updated("note://a", of(3)),
                ".. {\"params\":{\"uri\":\"note://\"}}",
                updated("note://a", of(2)),
                "-> resources/read {\"uri\":\"note://\"}\n<- {\"contents\":[]}",
                "-> notifications/cancelled {\"requestId\":3}",
                "-> notifications/cancelled {\"requestId\":2}");
        try (var client = Scripts.overStdio(script, time).connect();
                var one = client.resources().onChange("note://a", () -> told.add("one"));
                var two = client.resources().onChange("note://", () -> {
                    told.add("two");
                    client.resources().read("note://");
                    told.add("two has read");
                })) {
            script.go();
            assertThat(told.take()).isEqualTo("two");
            assertThat(List.of(told.take(), told.take())).containsExactlyInAnyOrder("one", "two has read");
        }
    }

    @Test
    void in_a_session_a_resource_is_watched_as_long_as_anybody_wants_to_hear_of_it() throws Exception {
        var script = script(
                HANDSHAKE,
                "-> GET {\"Mcp-Session-Id\":\"one\"}",
                ".. {\"go\":true}",
                updated("other://a", ""),
                ".. {\"method\":\"resources/unsubscribe\",\"params\":{\"uri\":\"other://a\"}}",
                updated("note://a/part", ""),
                "<.",
                "-> resources/subscribe {\"uri\":\"other://a\"}\n<- {}",
                "-> resources/unsubscribe {\"uri\":\"other://a\"}\n<- {}",
                "->* resources/subscribe {\"uri\":\"note://a\"}\n<- {}",
                "-> resources/unsubscribe {\"uri\":\"note://a\"}\n<- {}");
        try (var client = Scripts.over(script, time).connect()) {
            var first = client.resources().onChange("note://a", () -> told.add("first"));
            var second = client.resources().onChange("note://a", () -> {});
            var other = client.resources().onChange("other://a", () -> told.add("other"));
            script.go();
            assertThat(told.take()).isEqualTo("other");
            other.close();
            assertThat(told.take()).isEqualTo("first");
            first.close();
            assertThat(script.count("{\"method\":\"resources/unsubscribe\"}")).isEqualTo(1);
            second.close();
            assertThat(script.count("{\"method\":\"resources/unsubscribe\"}")).isEqualTo(2);
        }
        assertThat(told).isEmpty();
    }

    @Test
    void a_new_session_watches_the_same_and_tells_what_may_have_been_missed() throws Exception {
        var script = script(
                HANDSHAKE,
                "-> resources/subscribe\n-h Mcp-Session-Id: one\n<- {}",
                "-> ping\n<= 404",
                "-> initialize\n<h Mcp-Session-Id: two\n<- {\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                        + "\"serverInfo\":{}}",
                "-> notifications/initialized\n<= 202",
                "-> ping\n<- {}",
                "-> resources/subscribe {\"uri\":\"note://a\"}\n-h Mcp-Session-Id: two\n<- {}",
                "->* resources/unsubscribe\n<- {}\n->* DELETE");
        try (var client = Scripts.over(script, time).connect()) {
            var watching = client.resources().onChange("note://a", () -> told.add("changed"));
            client.ping();
            assertThat(told.take()).isEqualTo("changed");
            watching.close();
        }
    }

    @Test
    void a_session_in_which_a_resource_cannot_be_watched_tells_nothing() throws Exception {
        try (var client = client(
                HANDSHAKE,
                "-> resources/subscribe\n<! -32002 Unknown",
                "-> resources/subscribe\n<- {}",
                "-> ping\n" + A_CHANGED + "<- {}",
                "-> resources/unsubscribe\n<- {}")) {
            assertThatThrownBy(() -> client.resources().onChange("note://a", () -> told.add("refused")))
                    .isInstanceOf(RefusedException.class);
            try (var watching = client.resources().onChange("note://a", () -> told.add("changed"))) {
                client.ping();
                assertThat(told.take()).isEqualTo("changed");
            }
        }
        assertThat(told).isEmpty();
    }

    @Test
    void in_a_session_changed_lists_are_told_one_after_the_other_on_a_thread_that_may_ask() throws Exception {
        var script = script(
                OVER_PIPE,
                "-> prompts/list\n<~ {\"method\":\"notifications/prompts/list_changed\"}\n<- {\"prompts\":[]}",
                "-> prompts/list\n<- {\"prompts\":[{\"name\":\"new\"}]}");
        try (var client = Scripts.overStdio(script, time).connect();
                var watching = client.onListChange(
                        list -> told.add(list + " " + client.prompts().list().size()))) {
            client.prompts().list();
            assertThat(told.take()).isEqualTo("PROMPTS 1");
        }
    }

    @Test
    void that_a_person_is_done_at_an_address_is_told_until_the_listener_leaves() {
        var done = "-> ping\n<~ {\"method\":\"notifications/elicitation/complete\","
                + "\"params\":{\"elicitationId\":\"%s\"}}\n<- {}";
        var script = script(OVER_PIPE, done.formatted("e-1"), done.formatted("e-2"));
        try (var client = Scripts.overStdio(script, time).connect()) {
            try (var listening = client.onElicitationComplete(told::add)) {
                client.ping();
            }
            client.ping();
        }
        assertThat(told).containsExactly("e-1");
    }
}

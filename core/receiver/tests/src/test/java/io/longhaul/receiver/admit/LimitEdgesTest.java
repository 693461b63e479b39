// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.admit;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.protocol.WireLimits;
import io.longhaul.receiver.ext.tasks1686.RequestorTasksTest;
import io.longhaul.server.OneHandlerEveryGenerationTest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What is taken up to a limit of {@code docs/LIMITS.md}, and refused beyond it, where no other test shows the edge. */
class LimitEdgesTest {

    private static final String MUCH = "x".repeat(WireLimits.DEFAULT.messageBytes() + 1);

    @AutoClose
    private final Served served = Served.with(
            Tools.greet(),
            Tools.waits(new CountDownLatch(1)),
            asks("asks 100", 100),
            asks("asks 101", 101),
            Tool.define("says_much").longRunning().handler((none, task) -> MUCH));

    private static Tool asks(String name, int questions) {
        return Tool.define(name.replace(' ', '_')).handler((none, call) -> {
            for (int i = 0; i < questions; i++) {
                Tools.askName(call);
            }
            return "answered";
        });
    }

    /** The text that a call with nested arguments is answered with. */
    private String nested(int levels) {
        // The message, its params and its arguments are three levels.
        var arrays = "[".repeat(levels - 3) + "]".repeat(levels - 3);
        return served.handshake("2025-11-25")
                .send("tools/call", Served.call("greet", "{\"name\":" + arrays + "}"))
                .response();
    }

    @Test
    void json_of_64_levels_is_read_and_of_one_more_refused() {
        assertThat(Served.json(nested(64)).at("/result/isError").asBoolean())
                .as("the call is read, and its arguments are wrong")
                .isTrue();
        var refused = Served.json(nested(65)).path("error");
        assertThat(refused.path("code").asInt()).isEqualTo(-32600);
        assertThat(refused.path("message").asString()).contains("deeper than the limit of 64");
    }

    @Test
    void a_result_that_is_longer_than_a_message_is_kept_and_answered_whole() {
        var client = served.handshake("2025-11-25");
        var result = client.ask("tasks/result", taskId(client.task("says_much")));
        assertThat(text(result.path("result"))).isEqualTo(MUCH);
        var alone = served.stateless(Served.TASKS).ask("tools/call", Served.call("says_much", "{}"));
        var again = client.ask("tasks/result", taskId(alone.at("/result/taskId").asString()));
        assertThat(text(again.path("result"))).isEqualTo(MUCH);
    }

    @Test
    void a_session_has_four_get_streams_and_the_fifth_ends_the_first() {
        var session = served.handshake("2025-11-25");
        var streams = Stream.generate(() -> opened(session)).limit(4).toList();
        assertThat(streams).allMatch(MemoryReply::isQuiet);
        var fifth = opened(session);
        assertThat(streams.getFirst().next()).as("the stream has ended").isEmpty();
        assertThat(streams.subList(1, 4)).allMatch(MemoryReply::isQuiet);
        assertThat(fifth.isQuiet()).isTrue();
    }

    /** A stream whose first event id has come, which the server sends when the stream is open. */
    private static MemoryReply opened(Served.Handshake session) {
        var stream = session.get();
        assertThat(stream.next()).isPresent();
        return stream;
    }

    @Test
    void a_task_id_that_its_requestor_chose_has_256_characters_at_most() {
        var session = served.handshake("2025-06-18");
        var longest = session.send("tools/call", RequestorTasksTest.augmented("waits", "{}", "x".repeat(256)));
        assertThat(longest.nextMessage()).contains("notifications/tasks/created");
        var refused = Served.json(
                        session.send("tools/call", RequestorTasksTest.augmented("waits", "{}", "x".repeat(257)))
                                .response())
                .path("error");
        assertThat(refused.path("code").asInt()).isEqualTo(-32602);
        assertThat(refused.path("message").asString()).contains("must have 1 to 256 characters");
    }

    @Test
    void a_name_that_a_caller_chose_has_no_character_0_which_not_every_store_can_keep() {
        var named = RequestorTasksTest.augmented("waits", "{}", "x\\u0000");
        assertThat(refusal("2025-06-18", named)).contains("taskId must not contain the character U+0000");
        var keyed = Served.and(Served.call("waits", "{}"), "\"_meta\":{\"io.longhaul/creation-key\":\"k\\u0000\"}");
        assertThat(refusal("2025-11-25", keyed)).contains("creation-key\"] must not contain the character U+0000");
        var operation = Served.and(Served.call("waits", "{}"), "\"operation\":{\"token\":\"t\\u0000\"}");
        assertThat(refusal("next", operation)).contains("token must not contain the character U+0000");
    }

    private String refusal(String version, String call) {
        var session = served.handshake(version);
        var refused = Served.json(session.send("tools/call", call).response()).path("error");
        assertThat(refused.path("code").asInt()).isEqualTo(-32602);
        return refused.path("message").asString();
    }

    /** The response to a quick call whose questions are all answered. */
    private String answering(String tool) {
        try (var client = served.connect()) {
            client.send(OneHandlerEveryGenerationTest.initialize());
            client.next();
            client.send(Served.request(1, "tools/call", Served.call(tool, "{}")));
            for (var message = client.next(); ; message = client.next()) {
                var asked = Served.json(message);
                if (!asked.has("method")) {
                    return message;
                }
                client.send(
                        "{\"jsonrpc\":\"2.0\",\"id\":" + asked.path("id") + ",\"result\":{\"action\":\"decline\"}}");
            }
        }
    }

    @Test
    void a_quick_call_asks_a_hundred_questions_and_no_more() {
        assertThat(answering("asks_100")).contains("answered");
        var refused = Served.json(answering("asks_101")).path("error");
        assertThat(refused.path("code").asInt()).isEqualTo(-32603);
        assertThat(refused.path("message").asString()).contains("more than 100 questions");
    }
}

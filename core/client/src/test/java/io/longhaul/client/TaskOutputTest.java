// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.HANDSHAKE;
import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.TOOLS;
import static io.longhaul.client.Scripts.created;
import static io.longhaul.client.Scripts.script;
import static io.longhaul.client.Scripts.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The partial output of a task, which a server of Longhaul keeps as a resource. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class TaskOutputTest {

    private static final String DONE = ",\"result\":{\"content\":[],\"isError\":false}";
    private static final String NAMED = ",\"_meta\":{\"io.longhaul/output\":\"o:1\"}";
    private static final String CREATED = "-> tools/call\n.. {\"go\":true}\n<- " + created();
    private static final String ENDED_WHEN_READ = "-> tasks/get\n.. {\"method\":\"resources/read\",\"params\":"
            + "{\"uri\":\"%s\"}}\n<- " + task("completed", NAMED + DONE);
    private static final String WORKING = "-> tasks/get\n<- " + task("working", NAMED);

    private final TestTime time = new TestTime();

    private static String read(String uri, String... contents) {
        return "-> resources/read {\"uri\":\"" + uri + "\"}\n<- {\"resultType\":\"complete\",\"contents\":["
                + String.join(",", contents) + "]}";
    }

    /** Nothing more, however often that is asked for: whether a read is the last one depends on when the task ended. */
    private static String nothingMore(String uri) {
        return read(uri).replace("-> ", "->* ");
    }

    private static String content(String type, String text, String next) {
        var meta = next.isEmpty() ? "" : ",\"_meta\":{\"io.longhaul/next\":\"" + next + "\"}";
        return "{\"uri\":\"o:1\",\"mimeType\":\"" + type + "\",\"text\":\"" + text + "\"" + meta + "}";
    }

    private static CallUpdate.Part text(String text) {
        return new CallUpdate.Part(Json.raw("{\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}]}"));
    }

    private static String ended(String uri) {
        return ENDED_WHEN_READ.formatted(uri);
    }

    /** The updates of one kind until the call has its result. */
    private <U extends CallUpdate> List<U> told(Class<U> kind, Transcript script) throws InterruptedException {
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            var updates = Scripts.updates(call, kind);
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
            return List.copyOf(updates);
        }
    }

    @Test
    void each_piece_is_told_once_and_the_last_ones_before_the_call_has_ended() throws Exception {
        var script = script(
                STATELESS,
                TOOLS,
                CREATED,
                WORKING,
                read("o:1", content("text/plain", "one", ""), content("text/plain", "two", "o:3")),
                ended("o:1"),
                read("o:3", content("text/plain", "three", "o:4")),
                nothingMore("o:4"));
        assertThat(told(CallUpdate.Part.class, script)).containsExactly(text("one"), text("two"), text("three"));
    }

    @Test
    void a_page_with_a_link_is_followed_by_the_next_one_and_the_link_is_no_piece() throws Exception {
        var script = script(
                STATELESS,
                TOOLS,
                CREATED,
                "-> tasks/get\n<- " + task("completed", NAMED + DONE),
                read("o:1", content("text/plain", "one", "o:2"), content("text/uri-list", "o:2", "")),
                read("o:2", content("text/plain", "two", "o:3")),
                nothingMore("o:3"));
        assertThat(told(CallUpdate.Part.class, script)).containsExactly(text("one"), text("two"));
    }

    @Test
    void a_page_that_leads_to_itself_is_read_again_after_a_pause_alone() throws Exception {
        var script = script(
                STATELESS,
                TOOLS,
                CREATED,
                "-> tasks/get\n<- " + task("completed", NAMED + DONE),
                read("o:1", content("text/uri-list", "o:1", "o:1")).replace("-> ", "->* "));
        assertThat(told(CallUpdate.Trouble.class, script)).isEmpty();
    }

    @Test
    void a_piece_that_is_no_text_is_structured_content_too() throws Exception {
        var script = script(
                STATELESS,
                TOOLS,
                CREATED,
                "-> tasks/get\n<- " + task("completed", NAMED + DONE),
                read("o:1", content("application/json", "{\\\"row\\\":2}", "o:2")),
                nothingMore("o:2"));
        assertThat(told(CallUpdate.Part.class, script))
                .containsExactly(new CallUpdate.Part(Json.raw("{\"content\":[{\"type\":\"text\","
                        + "\"text\":\"{\\\"row\\\":2}\"}],\"structuredContent\":{\"row\":2}}")));
    }

    @Test
    void output_is_read_again_while_the_task_goes_on_and_more_seldom_where_there_was_none() throws Exception {
        var script = script(
                STATELESS,
                TOOLS,
                CREATED,
                WORKING,
                read("o:1", content("text/plain", "one", "o:2")),
                read("o:2"),
                read("o:2", content("text/plain", "two", "o:3")),
                ended("o:3"),
                nothingMore("o:3"));
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            var parts = Scripts.updates(call, CallUpdate.Part.class);
            script.go();
            time.ringOnceSet(Duration.ofSeconds(1));
            time.ringOnceSet(Duration.ofSeconds(2));
            time.ringOnceSet(Duration.ofSeconds(1));
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
            assertThat(parts).containsExactly(text("one"), text("two"));
        }
    }

    @Test
    void the_output_of_a_call_without_a_listener_is_not_read() throws Exception {
        var script = script(
                STATELESS,
                TOOLS,
                "-> tools/call\n<- " + created(),
                "-> tasks/get\n<- " + task("completed", NAMED + DONE));
        assertThat(Scripts.report(Scripts.over(script, time))).isInstanceOf(CallOutcome.ToolResult.class);
    }

    @Test
    void a_server_that_does_not_say_where_more_will_be_is_read_once() throws Exception {
        var script =
                script(STATELESS, TOOLS, CREATED, WORKING, read("o:1", content("text/plain", "one", "")), ended("o:1"));
        assertThat(told(CallUpdate.Part.class, script)).containsExactly(text("one"));
    }

    @Test
    void output_that_cannot_be_read_is_a_trouble_and_the_call_has_its_result() throws Exception {
        var script = script(
                STATELESS,
                TOOLS,
                CREATED,
                "-> tasks/get\n<- " + task("completed", NAMED + DONE),
                "->* resources/read\n<! -32002 Gone");
        assertThat(told(CallUpdate.Trouble.class, script))
                .singleElement()
                .satisfies(trouble -> assertThat(trouble.what()).contains("partial output could not be read"));
    }

    /** In 2025-11-25 the result comes by itself, perhaps before the task was looked at. */
    @Test
    void a_task_whose_result_came_before_a_look_is_looked_at_once_for_its_output() throws Exception {
        var done = "{\"taskId\":\"t1\",\"status\":\"completed\",\"createdAt\":\"2026-01-01T00:00:00Z\","
                + "\"lastUpdatedAt\":\"2026-01-01T00:00:01Z\",\"ttl\":60000" + NAMED + "}";
        var script = script(
                HANDSHAKE,
                TOOLS,
                "-> tools/call\n.. {\"go\":true}\n<- {\"task\":" + Scripts.task2025("working") + "}",
                "->* GET\n<= 405",
                "-> tasks/result\n<- {\"content\":[]}",
                "-> tasks/get\n<- " + done,
                read("o:1", content("text/plain", "one", "o:2")),
                nothingMore("o:2"));
        try (var client =
                Scripts.over(script, new TestTime(Duration.ofMillis(700))).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            var parts = Scripts.updates(call, CallUpdate.Part.class);
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
            assertThat(parts).containsExactly(text("one"));
        }
    }

    @Test
    void a_page_that_leads_to_itself_is_not_read_for_ever() throws Exception {
        var circle = read("o:1", content("text/uri-list", "o:1", "o:1")).replace("-> ", "->* ");
        var script = script(STATELESS, TOOLS, CREATED, WORKING, ended("o:1"), circle);
        assertThat(told(CallUpdate.Part.class, script)).isEmpty();
    }

    /** Pages that lead from one to the other for ever. */
    private static String endless(String one, String other) {
        return (read("o:1", content(one, "o:2", "o:2"), content("text/uri-list", "o:2", "o:2")) + "\n"
                        + read("o:2", content(other, "o:1", "o:1"), content("text/uri-list", "o:1", "o:1")))
                .replace("-> ", "->* ");
    }

    @Test
    void a_hundred_pages_in_a_row_may_lead_on_without_a_piece_and_no_more() throws Exception {
        var script =
                script(STATELESS, TOOLS, CREATED, WORKING, ended("o:1"), endless("text/uri-list", "text/uri-list"));
        assertThat(told(CallUpdate.Trouble.class, script))
                .singleElement()
                .satisfies(trouble -> assertThat(trouble.what()).contains("brought no piece"));
        assertThat(script.count("{\"method\":\"resources/read\"}")).isEqualTo(101);
    }

    @Test
    void a_call_that_is_cancelled_while_the_rest_of_its_output_is_read_ends() throws Exception {
        var script = script(
                STATELESS,
                TOOLS,
                CREATED,
                "-> tasks/get\n<- " + task("completed", NAMED + DONE),
                endless("text/plain", "text/plain"),
                "->* tasks/cancel\n<! -32602 Ended");
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            call.onUpdate(update -> {});
            script.go();
            script.await(JsonTree.read(Json.raw("{\"params\":{\"uri\":\"o:2\"}}")), 2);
            call.cancel();
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }
}

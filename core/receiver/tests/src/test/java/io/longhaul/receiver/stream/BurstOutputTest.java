// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static io.longhaul.receiver.ext.resume.ResumeTokensTest.resume;
import static io.longhaul.receiver.ext.resume.ResumeTokensTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Partial output that comes faster than any client reads it: each client gets every piece, in order. */
@Timeout(120)
class BurstOutputTest {

    private static final int PIECES = 5_000;
    private static final String CALL = Served.call("bursts", "{}");
    private static final List<String> ALL =
            IntStream.range(0, PIECES).mapToObj(piece -> "piece " + piece).toList();

    @AutoClose
    private final Served served =
            Served.with(Tool.define("bursts").longRunning().handler((none, task) -> {
                ALL.forEach(task::partial);
                return "done";
            }));

    /** A task of the tool that has ended, whatever its client was told. */
    private String ended(Served.Handshake client) {
        var created = client.ask("tools/call", Served.and(CALL, "\"task\":{}"));
        var id = created.at("/result/task/taskId").asString();
        client.ask("tasks/result", "{\"taskId\":\"" + id + "\"}");
        return id;
    }

    private static void keep(JsonNode texts, List<String> pieces) {
        texts.forEach(text -> {
            if (text.path("text").asString().startsWith("piece ")) {
                pieces.add(text.path("text").asString());
            }
        });
    }

    @Test
    void in_the_parts_of_resume_tokens() {
        var client = served.handshake("2025-06-18", "{\"experimental\":{\"resumeTokens\":{}}}");
        var pieces = new ArrayList<String>();
        var part = client.ask("tools/call", CALL);
        for (; part.path("result").has("nextResumeToken"); part = client.ask("tools/call", resume(CALL, token(part)))) {
            keep(part.at("/result/content"), pieces);
        }
        keep(part.at("/result/content"), pieces);
        assertThat(pieces).isEqualTo(ALL);
    }

    @Test
    void in_the_pages_of_the_resource() {
        var client = served.handshake("2025-11-25");
        var pieces = new ArrayList<String>();
        var uri = "longhaul://tasks/" + ended(client) + "/output";
        while (!uri.isEmpty()) {
            var page = client.ask("resources/read", "{\"uri\":\"" + uri + "\"}").at("/result/contents");
            keep(page, pieces);
            var last = page.get(page.size() - 1);
            uri = last.path("mimeType").asString().equals("text/uri-list")
                    ? last.path("uri").asString()
                    : "";
        }
        assertThat(pieces).isEqualTo(ALL);
    }

    @Test
    void in_the_history_that_is_read_while_the_task_runs() {
        var client = served.handshake("2025-11-25");
        var id = client.task("bursts");
        var pieces = new ArrayList<String>();
        JsonNode page;
        long after = 0;
        var wanted = "{\"taskId\":\"" + id + "\",\"types\":[\"output\"],\"waitMs\":1000,\"after\":";
        do {
            page = client.ask("io.longhaul/tasks/history", wanted + after + "}").path("result");
            page.path("events").forEach(event -> pieces.add(event.path("data").asString()));
            after = page.path("last").asLong();
        } while (page.path("more").asBoolean()
                || !page.path("status").asString().equals("completed"));
        assertThat(pieces).isEqualTo(ALL);
    }
}

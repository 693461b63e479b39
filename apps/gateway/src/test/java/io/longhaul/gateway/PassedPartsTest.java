// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.ResourcePart;
import io.longhaul.client.ServerAddress;
import io.longhaul.client.TaskReference;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server of another maker that answers in five pages, each with a resume token for the next one. */
@Timeout(120)
class PassedPartsTest {

    private static final int PAGES = 5;

    @TempDir
    Path folder;

    private final CountDownLatch third = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    /** The page that a call is answered with: the first one, or that of its token. */
    private static String page(String call) {
        int page =
                JsonTree.read(Json.raw(call)).path("params").path("resumeToken").asInt(1);
        var next = page == PAGES ? "" : ",\"nextResumeToken\":\"" + (page + 1) + "\"";
        return "{\"content\":[{\"type\":\"text\",\"text\":\"page " + page + "\"}]" + next + "}";
    }

    /** As {@link #page}, and the third page waits until the test lets it go. */
    private String heldPage(String call) {
        if (call.contains("\"resumeToken\":\"3\"")) {
            third.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return page(call);
    }

    private static ForeignServer pages(UnaryOperator<String> page) throws Exception {
        return new ForeignServer(Map.of("tools/call", page));
    }

    private static List<String> texts(Json result) {
        var texts = new ArrayList<String>();
        JsonTree.read(result)
                .path("content")
                .forEach(content -> texts.add(content.path("text").asString()));
        return texts;
    }

    private static List<String> texts(CallOutcome outcome) {
        assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
        var result = ((CallOutcome.ToolResult) outcome).result();
        assertThat(result.toString()).doesNotContain("Token");
        return texts(result);
    }

    private static List<String> output(McpClient client, String task) {
        return client.resources().read("longhaul://tasks/" + task + "/output").stream()
                .map(part -> ((ResourcePart.Text) part).text())
                .toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25", "V2025_06_18"})
    void a_quick_call_is_answered_with_all_pages_in_one(Generation generation) throws Exception {
        try (var foreign = pages(PassedPartsTest::page);
                var front = Front.of(folder.resolve("gateway.db"), Upstream.at("pages", foreign.address()));
                var client = front.client().generation(generation).connect()) {
            assertThat(texts(client.call("pay", Map.of("sum", 7)).await()))
                    .containsExactly("page 1", "page 2", "page 3", "page 4", "page 5");
            assertThat(foreign.called())
                    .hasSize(PAGES)
                    .allSatisfy(call -> assertThat(call).contains("\"sum\":7"));
        }
    }

    @Test
    void a_long_call_stores_the_pages_as_its_output_and_ends_with_the_last() throws Exception {
        try (var foreign = pages(PassedPartsTest::page);
                var front = Front.of(
                        folder.resolve("gateway.db"),
                        Upstream.at("pages", foreign.address()).longTools("pay"));
                var client = front.client().connect()) {
            var call = client.call("pay", Map.of());
            assertThat(texts(call.await())).containsExactly("page 5");
            var task = call.reference().orElseThrow().taskId();
            assertThat(output(client, task)).containsExactly("page 1", "page 2", "page 3", "page 4");
        }
    }

    @Test
    void a_long_call_goes_on_from_its_last_token_when_the_gateway_is_started_again() throws Exception {
        try (var foreign = pages(this::heldPage)) {
            var upstream = Upstream.at("pages", foreign.address()).longTools("pay");
            TaskReference reference;
            try (var front = Front.of(folder.resolve("gateway.db"), upstream);
                    var client = front.client().connect()) {
                reference = client.call("pay", Map.of()).reference().orElseThrow();
                third.await();
            }
            goOn.countDown();
            try (var front = Front.of(folder.resolve("gateway.db"), upstream);
                    var client = front.client().connect()) {
                var again = new TaskReference(
                        new ServerAddress.Http(front.address()), reference.generation(), reference.taskId());
                assertThat(texts(client.attach(again).await())).containsExactly("page 5");
                assertThat(output(client, reference.taskId())).containsExactly("page 1", "page 2", "page 3", "page 4");
            }
            assertThat(foreign.called())
                    .filteredOn(call -> !call.contains("resumeToken"))
                    .hasSize(1);
        }
    }
}

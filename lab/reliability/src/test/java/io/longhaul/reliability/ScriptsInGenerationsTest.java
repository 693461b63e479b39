// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One tool in four languages, called in each generation: a table of what callers get, which is the same in all. */
@Timeout(300)
class ScriptsInGenerationsTest {

    private static final String DONE = "rows 7, who Eve, greeting Hello Ada, sum 3";
    private static final String NOT_ASKED = "an error";
    private static final String HAND_OVER = "hand-over";
    private static final int TURNS = 100;
    private static final Pattern NEXT = Pattern.compile("(task_wait|task_answer) with \\{\"task\":\"(\\w+)\"");

    @TempDir
    private Path folder;

    /** What each generation gets: where nobody can be asked, the tool fails. */
    private static Map<String, String> table() {
        var table = new TreeMap<String, String>();
        for (var generation : ClientDialects.spoken()) {
            var asks = generation.revision().has(Capability.ELICITATION);
            table.put(generation.label(), asks ? DONE : NOT_ASKED);
        }
        table.put(HAND_OVER, DONE);
        return table;
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "python", "node", "sh"})
    void a_tool_gives_the_same_in_each_generation_whatever_its_language(String language) throws Exception {
        ScriptedTool.write(folder, language);
        var tool = ScriptedTool.name(language);
        var got = new ConcurrentSkipListMap<String, String>();
        var http = Http.onPort(0);
        try (var server = ScriptedServer.serve(folder, http)) {
            ClientDialects.spoken().parallelStream()
                    .forEach(generation -> got.put(generation.label(), called(http.url(), generation, tool)));
            got.put(HAND_OVER, handedOver(http.url(), tool));
        }
        assertThat(got).isEqualTo(table());
    }

    private static String called(URI url, Generation generation, String tool) {
        try (var client = McpClient.to(url)
                .generation(generation)
                .name("longhaul", "1")
                .answers(ScriptedTool.ANSWERS)
                .connect()) {
            return told(client.call(tool, Map.of()).await());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A host that knows no tasks, whose model does what the answers say. */
    private static String handedOver(URI url, String tool) throws InterruptedException {
        try (var client = McpClient.to(url)
                .generation(ClientDialects.plain())
                .name("impatient-host", "1")
                .connect()) {
            var outcome = client.call(tool, Map.of()).await();
            var next = NEXT.matcher(outcome.toString().replace("\\", ""));
            for (int turn = 0; turn < TURNS && next.find(); turn++) {
                var arguments = new TreeMap<String, Object>(Map.of("task", next.group(2)));
                if (next.group(1).equals("task_answer")) {
                    var isForm = outcome.toString().contains("Who?");
                    arguments.put(isForm ? "content" : "reply", isForm ? Map.of("name", "Eve") : "accept");
                }
                outcome = client.call(next.group(1), arguments).await();
                next = NEXT.matcher(outcome.toString().replace("\\", ""));
            }
            return isDone(outcome) ? DONE : outcome.toString();
        }
    }

    private static String told(CallOutcome outcome) {
        return isDone(outcome) ? DONE : outcome instanceof CallOutcome.ToolResult ? outcome.toString() : NOT_ASKED;
    }

    private static boolean isDone(CallOutcome outcome) {
        var text = outcome.toString();
        return outcome instanceof CallOutcome.ToolResult
                && text.contains("\"rows\":7")
                && text.contains("\"who\":\"Eve\"")
                && text.contains("\"greeting\":\"Hello Ada\"")
                && text.contains("\"sum\":3");
    }
}

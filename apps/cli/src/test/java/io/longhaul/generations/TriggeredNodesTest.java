// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.text.JsonText;
import io.longhaul.file.webhook.SignedCall;
import io.longhaul.file.webhook.TestRecipient;
import io.longhaul.testkit.NeedsPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of {@code serve} that are called by a trigger, tell a recipient of the ends, and are killed meanwhile. */
@Timeout(180)
class TriggeredNodesTest {

    private static final int NODES = 3;
    private static final String SECRET = "correct horse";

    private static final String TOOLS = """
        tools:
          waits:
            command: [sh, '%s']
        triggers:
          wait: {tool: waits, secret: {file: secret}}
        notify:
          ops: {url: '%s', secret: {file: secret}}
        """;

    @TempDir
    Path folder;

    private final List<ServedNode> nodes = new ArrayList<>();
    private Gate gate;
    private TestRecipient recipient;

    @BeforeEach
    void begin() throws Exception {
        gate = Gate.in(folder);
        recipient = new TestRecipient(SECRET);
        SignedCall.keep(folder.resolve("secret"), SECRET);
    }

    @AfterEach
    void end() throws IOException {
        nodes.forEach(ServedNode::kill);
        gate.close();
        recipient.close();
    }

    private void start(int count, String store) throws IOException {
        var tools = store + TOOLS.formatted(gate.script(folder), recipient.url());
        var file = Files.writeString(folder.resolve("tools.yaml"), tools);
        IntStream.range(0, count).forEach(number -> nodes.add(new ServedNode(file, folder.resolve("node-" + number))));
        nodes.forEach(ServedNode::start);
    }

    private static String deliver(ServedNode node) throws IOException, InterruptedException {
        var uri = node.uri();
        assertThat(uri).isNotNull();
        return taskId(SignedCall.of("message-1", SECRET, "").to(uri, "wait"));
    }

    private static String taskId(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        return JsonText.read(response.body()).path("taskId").asString();
    }

    private void assertIsOne(String task) throws InterruptedException {
        var message = recipient.take();
        assertThat(message.isSigned()).isTrue();
        assertThat(message.task()).isEqualTo(task);
    }

    @Test
    void a_message_that_is_delivered_to_a_server_and_to_its_successor_makes_one_task() throws Exception {
        start(1, "");
        var node = nodes.getFirst();
        var task = deliver(node);
        gate.begun();
        node.kill();
        node.start();
        assertThat(deliver(node)).isEqualTo(task);
        gate.open();
        assertIsOne(task);
        assertThat(gate.isQuiet()).isTrue();
    }

    @Test
    void a_recipient_that_was_away_while_a_server_died_is_told_by_its_successor() throws Exception {
        recipient.answerAlways(503);
        start(1, "");
        var node = nodes.getFirst();
        var task = deliver(node);
        gate.begun();
        gate.open();
        assertIsOne(task);
        node.kill();
        recipient.answerAlways(TestRecipient.NEVER);
        node.start();
        // This one hangs, while the server dies again.
        assertIsOne(task);
        node.kill();
        recipient.answerAlways(204);
        node.start();
        assertIsOne(task);
    }

    @Test
    @NeedsPostgres
    void each_of_three_nodes_gets_the_same_message_at_once_and_one_task_is_made_and_told() throws Exception {
        try (var database = EmbeddedPostgres.builder().start()) {
            start(
                    NODES,
                    "store: {url: 'jdbc:postgresql://localhost:" + database.getPort()
                            + "/postgres', user: postgres}\n");
            var tasks = new ArrayList<String>();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var all = nodes.stream()
                        .map(node -> (Callable<String>) () -> deliver(node))
                        .toList();
                for (var done : threads.invokeAll(all)) {
                    tasks.add(done.get());
                }
            }
            assertThat(tasks).hasSize(NODES).containsOnly(tasks.getFirst());
            gate.begun();
            gate.open();
            assertIsOne(tasks.getFirst());
            assertThat(gate.isQuiet()).isTrue();
            nodes.forEach(ServedNode::kill);
            assertThat(recipient.rest()).isEmpty();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.file.ServerFile;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** What a workflow is told that asks, by who calls: each result here is the answer. */
@Timeout(60)
class WorkflowCallerTest {

    private static final Payload FORM = Payload.ofText("{\"message\":\"Where to?\",\"requestedSchema\":{\"type\":"
            + "\"object\",\"properties\":{\"where\":{\"type\":\"string\"}},\"required\":[\"where\"]}}");

    @TempDir
    Path folder;

    private final AtomicInteger asked = new AtomicInteger();
    private final Http http = Http.onPort(0);
    private McpServer server;

    /** A workflow that asks one question. */
    private static final class Asks implements Backend {
        @Override
        public Outcome run(Run run) throws InterruptedException {
            var result = JsonMapper.shared().createObjectNode();
            result.putArray("content").addObject().put("type", "text").put("text", said(run));
            return new Outcome.Result(Payload.ofText(result.toString()), false);
        }

        private static String said(Run run) throws InterruptedException {
            try {
                return WorkflowCaller.ask(run, new Run.Question("where", "elicitation/create", FORM))
                        .text();
            } catch (RunException e) {
                return "error: " + ((Outcome.Error) e.outcome()).message();
            }
        }

        @Override
        public void stop(Run run) {}
    }

    @BeforeEach
    void serve() throws Exception {
        var yaml = "tools:\n  quick:\n    workflow: {type: Ask, taskQueue: asks}\n";
        var entry = ServerFile.read(Files.writeString(folder.resolve("tools.yaml"), yaml))
                .tools()
                .getFirst();
        server = McpServer.builder("asks", "1")
                .store(SqliteTaskStore.at(folder.resolve("tasks.db")))
                .tool(Tool.define("long").longRunning().backend(new Asks()))
                .tool(Tool.define("quick")
                        .handler((input, call) ->
                                QuickJob.run(new Asks(), entry, input, call, ConcurrentHashMap.newKeySet())))
                .serve(http);
    }

    @AfterEach
    void end() {
        server.close();
    }

    private String answer(String tool, QuestionHandler handler) throws InterruptedException {
        var generation = Generation.V2025_11_25; // In which a client that cannot answer answers with an error.
        try (var client =
                McpClient.to(http.url()).generation(generation).answers(handler).connect()) {
            return client.call(tool, Json.EMPTY_OBJECT).await().toString();
        }
    }

    private QuestionHandler replying(Reply reply) {
        return QuestionHandler.NONE.forms(form -> {
            asked.incrementAndGet();
            return reply;
        });
    }

    @Test
    void an_answer_is_told_as_it_was_given() throws Exception {
        var home = new Reply.Accepted(Json.raw("{\"where\":\"home\"}"));
        assertThat(answer("long", replying(home))).contains("accept").contains("home");
    }

    @Test
    void a_caller_that_cannot_be_asked_is_an_error_and_nobody_has_closed_the_form() throws Exception {
        assertThat(answer("long", QuestionHandler.NONE)).contains("error: ").doesNotContain("cancel");
    }

    @Test
    void a_caller_that_fails_to_answer_leaves_the_form_open() throws Exception {
        var failing = QuestionHandler.NONE.forms(form -> {
            asked.incrementAndGet();
            throw new IllegalStateException("no window");
        });
        assertThat(answer("long", failing)).contains("Unanswered").doesNotContain("window", "cancel");
        assertThat(asked).hasValue(1);
    }

    @Test
    void a_quick_call_asks_nobody() throws Exception {
        var home = new Reply.Accepted(Json.raw("{\"where\":\"home\"}"));
        assertThat(answer("quick", replying(home))).contains("error: A quick call asks nobody");
        assertThat(asked).hasValue(0);
    }
}

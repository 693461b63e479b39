// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A host whose model gives nonsense: neither side asks and answers for ever. */
@Timeout(60)
class UnfitAnswersTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("io.longhaul.client.RealServerTest#lasting")
    void a_task_whose_question_gets_no_answer_that_fits_is_not_asked_for_ever(Generation generation) throws Exception {
        var http = Http.onPort(0);
        var asked = new AtomicInteger();
        var nonsense = QuestionHandler.NONE.sampling(question -> {
            asked.incrementAndGet();
            return Json.raw("{\"nonsense\":true}");
        });
        var asking = Tool.define("asking")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((input, task) ->
                        task.sample(new CreateMessageRequest("Speak", 10)).toString());
        try (var server = McpServer.builder("real", "1.0")
                        .tool(asking)
                        .store(SqliteTaskStore.at(folder.resolve("tasks.db")))
                        .serve(http);
                var client = McpClient.to(http.url())
                        .generation(generation)
                        .answers(nonsense)
                        .connect()) {
            assertThat(client.call("asking", Map.of()).await())
                    .isInstanceOf(CallOutcome.Failed.class)
                    .asString()
                    .contains("role is required");
        }
        assertThat(asked).hasValueLessThanOrEqualTo(3).hasPositiveValue();
    }
}

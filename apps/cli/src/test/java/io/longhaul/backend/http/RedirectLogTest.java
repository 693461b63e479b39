// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.server.LogLines;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.testkit.RunInMemory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.JsonNodeFactory;

/** What the log has of an API that leads to another host: callers are not told which. */
@Timeout(60)
class RedirectLogTest {

    private static void answer(HttpExchange exchange, int status, String location) throws IOException {
        exchange.getResponseHeaders().add("Location", location);
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private static List<String> warnings(HttpJob job) throws Exception {
        try (var log = new LogLines("io.longhaul.backend.http");
                var backend = HttpBackend.create()) {
            var running = backend.running(
                    job,
                    request -> JsonNodeFactory.instance.objectNode(),
                    end -> new Outcome.Result(Payload.of(end.body()), !end.succeeded()));
            running.run(new RunInMemory("{}"));
            return log.all().stream()
                    .filter(line -> line.getLevel().toString().equals("WARN"))
                    .map(line -> line.getFormattedMessage())
                    .toList();
        }
    }

    @Test
    void a_start_that_leads_elsewhere_is_told_with_the_host_and_no_more_of_the_address() throws Exception {
        try (var api = new LocalHttp("/", exchange -> answer(exchange, 307, "https://other.example/a?token=s3cret"))) {
            assertThat(warnings(HttpJob.at(api.origin() + "/jobs").build()))
                    .containsExactly("the API answers 307, and leads to https://other.example, which is not followed");
        }
    }

    @Test
    void a_host_that_wants_a_secret_and_gets_none_is_told() throws Exception {
        try (var other = new LocalHttp("/", exchange -> answer(exchange, 403, "/"));
                var api = new LocalHttp("/", exchange -> {
                    boolean isStart = exchange.getRequestMethod().equals("POST");
                    answer(exchange, isStart ? 202 : 302, isStart ? "/jobs/7" : other.origin() + "/7?token=s3cret");
                })) {
            var job = HttpJob.at(api.origin() + "/jobs").host(other.origin());
            assertThat(warnings(job.every(Duration.ofMillis(1))
                            .patience(Duration.ofMillis(1))
                            .build()))
                    .contains("the API leads to " + other.origin()
                            + ", which gets no headers of the job, and answers 403");
        }
    }
}

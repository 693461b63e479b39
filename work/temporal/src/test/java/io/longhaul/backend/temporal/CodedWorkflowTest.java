// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.engine.task.Outcome;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.testkit.RunInMemory;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers whose codec encrypts all payloads, beside a codec server: all that workflows tell and ask, again. */
class CodedWorkflowTest extends TalkingWorkflowTest {

    private final SealingCodec codec = new SealingCodec();
    private final AtomicInteger failing = new AtomicInteger();
    private volatile int failure = 503;
    private LocalHttp http;
    private TemporalWorld world;

    @Override
    TemporalWorld world() throws IOException {
        http = new LocalHttp("/codec", this::answer);
        world = new TemporalWorld(SealingCodec.converter());
        return world;
    }

    private void answer(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders();
        int status = !"Bearer key".equals(headers.getFirst("Authorization")) ? 401 : failure;
        if (status == 401 || failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
            return;
        }
        assertThat(headers.getFirst("X-Namespace")).isEqualTo("default");
        codec.serve(exchange);
    }

    @Override
    WorkflowJob.Builder coded(WorkflowJob.Builder job) {
        return coded(job, "key");
    }

    private WorkflowJob.Builder coded(WorkflowJob.Builder job, String key) {
        return job.codecServer(http.origin() + "/codec/", Map.of("Authorization", () -> "Bearer " + key));
    }

    @AfterEach
    void temporal_has_seen_no_payload_in_plain_text() {
        for (var id : world.workflows()) {
            assertThat(world.client().fetchHistory(id).getEvents().toString()).doesNotContain("json/plain");
        }
        http.close();
    }

    private static WorkflowJob.Builder job(Class<?> workflow, TemporalWorld world) {
        return Temporal.workflow(workflow).taskQueue(TemporalWorld.QUEUE).address(world.address());
    }

    private static String text(TemporalBackend backend, WorkflowJob.Builder job, String arguments) throws Exception {
        var jobs = backend.running(job.build(), TemporalBackendTest.JSON, TemporalBackendTest.TEXT);
        var outcome = jobs.run(new RunInMemory(arguments));
        return outcome instanceof Outcome.Result result ? result.body().text() : outcome.toString();
    }

    /** What the job of {@link Workflows.End} gives, where each pause passes at once. */
    private String ended(WorkflowJob.Builder job, String how) throws Exception {
        try (var backend = ScriptedTemporal.backend(new AtomicReference<>(Instant.EPOCH))) {
            return text(backend, job, "{\"how\":\"" + how + "\",\"what\":\"2026Q3\"}");
        }
    }

    @Test
    void the_message_of_a_failure_is_decoded() throws Exception {
        assertThat(ended(coded(job(Workflows.End.class, world)), "fail")).isEqualTo("no rows in 2026Q3");
    }

    @Test
    void a_codec_of_two_functions_needs_no_server() throws Exception {
        var job = job(Workflows.End.class, world).codec(codec::encode, codec::decode);
        assertThat(ended(job, "text")).isEqualTo("a text");
    }

    @Test
    void a_codec_server_that_is_away_for_a_while_is_asked_again() throws Exception {
        failing.set(4);
        assertThat(ended(coded(job(Workflows.End.class, world)), "text")).isEqualTo("a text");
        assertThat(failing).hasValue(0);
    }

    @Test
    void a_codec_server_that_stays_away_ends_the_task_as_patience_says() throws Exception {
        failing.set(Integer.MAX_VALUE);
        var job = coded(job(Workflows.End.class, world)).patience(Duration.ofMinutes(3));
        assertThat(ended(job, "text")).contains("INTERRUPTED");
        assertThat(world.workflows()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 404})
    void a_codec_server_that_refuses_starts_nothing(int status) throws Exception {
        failure = status;
        failing.set(Integer.MAX_VALUE);
        assertThat(ended(coded(job(Workflows.End.class, world), status == 401 ? "other" : "key"), "text"))
                .isEqualTo("The workflow was not started: its arguments cannot be encoded, and the log of the server"
                        + " says why.");
        assertThat(world.workflows()).isEmpty();
    }

    @Test
    void a_result_that_the_codec_cannot_decode_ends_the_task_and_is_not_shown() throws Exception {
        var job = job(Workflows.End.class, world).codec(codec::encode, encoded -> {
            throw new IllegalStateException("the key is another one");
        });
        assertThat(ended(job, "text"))
                .isEqualTo("The workflow has ended, and this server cannot decode how; its log says why.");
    }

    @Test
    void a_result_that_is_encrypted_needs_a_codec() throws Exception {
        var job =
                job(Workflows.Several.class, world).arguments(call -> List.of()).patience(Duration.ofSeconds(1));
        assertThat(ended(job, "")).endsWith("which is encoded as '" + SealingCodec.ENCODING + "'.");
    }

    @Test
    void a_workflow_gets_several_arguments() throws Exception {
        var job = coded(job(Workflows.Several.class, world))
                .arguments(call -> List.of(call.get("quarter"), call.get("rows"), call.get("kinds")));
        try (var backend = TemporalBackend.create()) {
            assertThat(text(backend, job, "{\"kinds\":[\"a\",\"b\"],\"quarter\":\"2026Q3\",\"rows\":7}"))
                    .isEqualTo("2026Q3 7 [a, b]");
        }
    }

    @Test
    void the_address_of_a_codec_server_is_one_of_http() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job(Workflows.End.class, world).codecServer("ftp://example.com", Map.of()))
                .withMessage("'ftp://example.com' is no address of a codec server");
    }
}

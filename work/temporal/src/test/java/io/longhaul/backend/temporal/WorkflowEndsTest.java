// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.grpc.Metadata;
import io.grpc.Status;
import io.longhaul.engine.run.ArgumentReader;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.TaskId;
import io.longhaul.testkit.RunInMemory;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** How workflows end, and what becomes of a start, over real requests. Pauses take no time, but by the clock. */
@Timeout(60)
class WorkflowEndsTest {

    private static TemporalWorld temporal;
    private static long tasks;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final TemporalBackend backend = ScriptedTemporal.backend(now);

    @BeforeAll
    static void open() throws IOException {
        temporal = new TemporalWorld();
    }

    @AfterAll
    static void close() throws InterruptedException {
        temporal.close();
    }

    @BeforeEach
    void begin() {
        temporal.refuse(Status.OK);
    }

    private static WorkflowJob.Builder job() {
        return Temporal.workflow(Workflows.End.class)
                .taskQueue(TemporalWorld.QUEUE)
                .address(temporal.address());
    }

    private static RunInMemory told(String arguments) {
        return new RunInMemory(TaskId.of(++tasks, 2, 3), arguments);
    }

    private Outcome run(WorkflowJob.Builder job, RunInMemory run) throws Exception {
        return backend.running(job.build(), TemporalBackendTest.JSON, TemporalBackendTest.TEXT)
                .run(run);
    }

    private static String id(RunInMemory run) {
        return job().build().idFor(run.id());
    }

    private static String text(Outcome outcome, boolean isError) {
        assertThat(outcome).isInstanceOf(Outcome.Result.class);
        var result = (Outcome.Result) outcome;
        assertThat(result.isError()).as(result.body().text()).isEqualTo(isError);
        return result.body().text();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"text; a text", "list; [1,2]", "nothing; ''"})
    void the_result_of_a_workflow_is_the_result(String how, String result) throws Exception {
        assertThat(text(run(job(), told("{\"how\":\"" + how + "\"}")), false)).isEqualTo(result);
    }

    @Test
    void bytes_are_bytes() throws Exception {
        var seen = new ArrayList<String>();
        var run = backend.running(job().build(), TemporalBackendTest.JSON, result -> {
            seen.add(result.mediaType() + result.body().length);
            return TemporalBackendTest.TEXT.write(result);
        });
        run.run(told("{\"how\":\"bytes\"}"));
        assertThat(seen).containsExactly("application/octet-stream2");
    }

    @Test
    void a_failure_is_what_the_workflow_says_and_nothing_of_how_it_came_to_it() throws Exception {
        assertThat(text(run(job(), told("{\"how\":\"fail\",\"what\":\"2026Q3\"}")), true))
                .isEqualTo("no rows in 2026Q3");
    }

    @Test
    void a_workflow_that_fails_asks_for_a_retry_which_is_another_workflow() throws Exception {
        var asked = new ArrayList<String>();
        var id = TaskId.of(++tasks, 2, 3);
        var first = handleAfterFailure(id, 0, asked);
        var second = handleAfterFailure(id, 1, asked);
        assertThat(asked).containsExactly("failed: no rows in 2026Q3", "failed: no rows in 2026Q3");
        assertThat(second.workflow()).isEqualTo(first.workflow() + "-2");
        assertThat(second.run()).isNotEqualTo(first.run());
    }

    private WorkflowHandle handleAfterFailure(TaskId id, int retries, List<String> asked) throws Exception {
        var run = new RunInMemory(id, "{\"how\":\"fail\",\"what\":\"2026Q3\"}") {
            @Override
            public int retries() {
                return retries;
            }

            @Override
            public boolean retry(String why) {
                return asked.add(why);
            }
        };
        run(job(), run);
        return WorkflowHandle.of(run.handle().orElseThrow());
    }

    /** Runs until somebody outside ends the workflow. */
    private Outcome endedOutside(java.util.function.Consumer<String> end) throws Exception {
        var run = told("{\"how\":\"wait\"}");
        int before = temporal.begun();
        var outcome = new FutureTask<>(() -> run(job(), run));
        Thread.ofVirtual().start(outcome);
        temporal.awaitBegun(before + 1);
        end.accept(id(run));
        return outcome.get();
    }

    @Test
    void a_workflow_that_is_ended_outside_says_so() throws Exception {
        assertThat(text(
                        endedOutside(id ->
                                temporal.client().newUntypedWorkflowStub(id).terminate("too dear")),
                        true))
                .isEqualTo("The workflow was terminated outside of this server: too dear");
        assertThat(text(
                        endedOutside(id ->
                                temporal.client().newUntypedWorkflowStub(id).cancel()),
                        true))
                .isEqualTo("The workflow was cancelled outside of this server.");
    }

    @Test
    void a_workflow_that_takes_no_cancel_is_terminated_after_its_grace() throws Exception {
        var run = told("{\"how\":\"stubborn\"}");
        int before = temporal.begun();
        var job = job().terminateAfter(Duration.ofMillis(1)).build();
        var jobs = backend.running(job, TemporalBackendTest.JSON, TemporalBackendTest.TEXT);
        var outcome = new FutureTask<>(() -> jobs.run(run));
        var thread = Thread.ofVirtual().start(outcome);
        temporal.awaitBegun(before + 1);
        run.stopping = true;
        jobs.stop(run);
        assertThat(temporal.isRunning(id(run))).isFalse();
        thread.interrupt();
        thread.join();
    }

    @Test
    void a_cancel_that_temporal_does_not_take_in_fails_so_that_it_is_tried_again() throws Exception {
        var run = told("{\"how\":\"wait\"}");
        run.saveHandle(WorkflowHandle.of(id(run), 0).begun("some-run").saved());
        temporal.refuse(Status.UNAVAILABLE);
        var jobs = backend.running(job().build(), TemporalBackendTest.JSON, TemporalBackendTest.TEXT);
        var stop = new FutureTask<Void>(() -> {
            jobs.stop(run);
            return null;
        });
        stop.run();
        assertThat(stop)
                .failsWithin(Duration.ofSeconds(1))
                .withThrowableThat()
                .withMessageContaining("not be cancelled");
    }

    @Test
    void a_server_out_of_reach_is_tried_as_long_as_patience_says() throws Exception {
        temporal.refuse(Status.UNAVAILABLE);
        var run = told("{\"how\":\"text\"}");
        assertThat(run(job().patience(Duration.ofMinutes(3)), run))
                .isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
                    assertThat(failed.reason()).isEqualTo(FailureReason.INTERRUPTED);
                    assertThat(failed.message()).contains("did not tell what became of the start");
                });
        assertThat(now.get()).isBetween(Instant.EPOCH.plusSeconds(180), Instant.EPOCH.plusSeconds(250));
        assertThat(run.messages).containsExactly("Temporal has not answered yet; the start is sent again.");
    }

    @ParameterizedTest
    @CsvSource({
        "PERMISSION_DENIED, Temporal does not let this server start it.",
        "UNAUTHENTICATED, Temporal does not let this server start it.",
        "NOT_FOUND, Temporal does not know the namespace 'default'."
    })
    void a_start_that_is_refused_is_an_error_that_says_why(Status.Code code, String why) throws Exception {
        temporal.refuse(code.toStatus());
        assertThat(text(run(job(), told("{\"how\":\"text\"}")), true))
                .isEqualTo("The workflow was not started: " + why);
    }

    @Test
    void a_start_that_is_refused_when_it_may_have_begun_before_is_not_said_to_have_begun_nothing() throws Exception {
        temporal.refuse(Status.PERMISSION_DENIED);
        var run = told("{\"how\":\"text\"}");
        run.saveHandle(WorkflowHandle.of(id(run), 0).saved());
        assertThat(run(job(), run)).isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void the_history_of_the_task_has_a_link_to_the_workflow() throws Exception {
        var run = told("{\"how\":\"text\"}");
        run(job().ui("http://localhost:8233/").idPrefix("report-"), run);
        var id = job().idPrefix("report-").build().idFor(run.id());
        assertThat(run.logs)
                .singleElement()
                .asString()
                .matches("\"The workflow " + id + " \\(run (.+)\\): http://localhost:8233/namespaces/default/workflows/"
                        + id + "/\\1/history has begun.\"");
    }

    @Test
    void an_id_tells_nothing_of_its_task() {
        var task = TaskId.of(1, 2, 3);
        var id = job().idPrefix("a-").build().idFor(task);
        assertThat(id).matches("a-[0-9a-f]{32}").doesNotContain(task.value());
        assertThat(job().idPrefix("a-").build().idFor(task)).isEqualTo(id);
        assertThat(job().idPrefix("a-").build().idFor(TaskId.of(1, 2, 4))).isNotEqualTo(id);
        assertThat(job().build().idFor(task)).startsWith(WorkflowJob.DEFAULT_PREFIX);
    }

    @Test
    void a_workflow_has_the_name_of_its_task_where_its_author_wants_that() throws Exception {
        var run = told("{\"how\":\"text\"}");
        run(job().idOfTask(), run);
        assertThat(temporal.workflows()).contains(run.id().value());
        assertThat(run.logs.getFirst()).contains("The workflow " + run.id().value() + " (run ");
        assertThat(job().idOfTask().idPrefix("a-").build().idFor(run.id())).isEqualTo("a-" + run.id());
    }

    @Test
    void each_request_names_its_namespace() throws Exception {
        run(job(), told("{\"how\":\"text\"}"));
        var namespace = Metadata.Key.of("temporal-namespace", Metadata.ASCII_STRING_MARSHALLER);
        assertThat(temporal.headers.getLast().get(namespace)).isEqualTo("default");
    }

    @Test
    void a_key_that_cannot_be_read_starts_nothing_and_stays_between_the_server_and_its_operator() throws Exception {
        var job = job().apiKey(() -> {
            throw new IOException("the variable TEMPORAL_API_KEY is not set");
        });
        assertThat(text(run(job, told("{\"how\":\"text\"}")), true))
                .isEqualTo(
                        "The workflow was not started: the server lacks a secret or a file that it needs, and its log"
                                + " has the details.");
    }

    /** What the page on Temporal shows. */
    @Test
    void a_workflow_is_told_to_a_builder() {
        ArgumentReader<JsonNode> reader = TemporalBackendTest.JSON;
        WorkflowOutcomes writer = TemporalBackendTest.TEXT;
        var workflows = TemporalBackend.create();
        var report = Temporal.workflow("Report")
                .taskQueue("reports")
                .address("127.0.0.1:7233")
                .terminateAfter(Duration.ofSeconds(30))
                .build();
        Backend backend = workflows.running(report, reader, writer);
        assertThat(backend.cancelled(told("{}"), "enough")).isEqualTo("enough");
        workflows.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "http://localhost:7233", "a b:1"})
    void an_address_is_a_host_and_a_port(String address) {
        assertThatIllegalArgumentException().isThrownBy(() -> job().address(address));
    }
}

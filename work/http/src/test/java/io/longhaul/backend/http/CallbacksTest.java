// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.backend.http.ScriptedApi.Said;
import io.longhaul.backend.http.address.Callbacks;
import io.longhaul.backend.http.exchange.JobConnections;
import io.longhaul.backend.http.job.ApiJobHandle;
import io.longhaul.backend.http.job.StartedJob;
import io.longhaul.backend.http.request.TemplateValues;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.PollPace;
import io.longhaul.engine.run.Starts;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.testkit.RunInMemory;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Who may call back, and what that does to the looks at a job. Pauses take no time, but by the clock. */
@Timeout(60)
class CallbacksTest {

    private static final URI BASE = URI.create("https://tools.example.com/longhaul/");
    private static final TaskId TASK = TaskId.of(1, 2, 3);
    private static final Duration HOURS = Duration.ofHours(6);
    private static final Said RUNNING = new Said(200, Map.of("Retry-After", "1"), "{\"status\":\"Running\"}");
    private static final Said DONE = Said.json(200, "{\"status\":\"Done\"}");

    private final RowStore rows = new MemoryTaskStore().rows();
    private final Callbacks callbacks = Callbacks.at(BASE, rows);
    private final List<Duration> pauses = new CopyOnWriteArrayList<>();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private ScriptedApi api;
    private HttpBackend backend;

    /** Done in each pause that a callback can end. */
    private volatile Runnable meanwhile = () -> {};

    @BeforeEach
    void begin() throws IOException {
        api = new ScriptedApi();
        backend = new HttpBackend(new HttpBackend.Machinery(
                new JobConnections(4, Duration.ofSeconds(10)),
                new Starts<>(),
                (time, sooner) -> {
                    if (!sooner.equals(PollWait.NEVER)) {
                        meanwhile.run();
                    }
                    boolean isSooner = sooner.tryAcquire();
                    sooner.drainPermits();
                    pauses.add(isSooner ? Duration.ZERO : time);
                    now.updateAndGet(instant -> instant.plus(time));
                    return isSooner;
                },
                now::get,
                () -> 0.5,
                new HttpBackend.Addresses(callbacks, null)));
    }

    @AfterEach
    void end() {
        backend.close();
        api.close();
        assertThat(callbacks.wake(TemplateValues.key(TASK)))
                .as("somebody still waits for callbacks")
                .isFalse();
    }

    private static String rest(Callbacks callbacks, TaskId task) throws InterruptedException {
        var prefix = "https://tools.example.com/longhaul" + Callbacks.PATH;
        assertThat(callbacks.address(task)).startsWith(prefix);
        return callbacks.address(task).substring(prefix.length());
    }

    private HttpJob.Builder toldWhereToCall() {
        return HttpJob.at(api.origin() + "/run").json("{\"tell\":\"{task.callback}\"}");
    }

    private Backend job() {
        return running(toldWhereToCall());
    }

    private Backend running(HttpJob.Builder job) {
        return backend.running(job.build(), HttpBackendContract.JSON, HttpBackendContract.TEXT);
    }

    /** A job that is looked at for a callback, and but for that every six hours. */
    private Backend awaited() {
        return running(toldWhereToCall().every(HOURS));
    }

    /** The API wants to be asked soon, which it need not be: it calls. */
    private void begins(Said... looks) {
        api.on("POST /run", new Said(202, Map.of("Location", "/runs/7", "Retry-After", "1"), ""));
        api.on("GET /runs/7", looks);
    }

    private List<String> requests() {
        return api.seen.stream().map(seen -> seen.method() + " " + seen.path()).toList();
    }

    private RunInMemory run() {
        return new RunInMemory(TASK, "{}");
    }

    @Test
    void an_address_is_taken_and_tells_nothing_of_the_task() throws Exception {
        assertThat(callbacks.take(rest(callbacks, TASK))).isTrue();
        assertThat(rest(callbacks, TASK)).doesNotContain(TASK.value()).matches("[0-9a-f-]{36}/[A-Za-z0-9_-]{43}");
    }

    @Test
    void an_address_that_nobody_was_given_is_not_taken() throws Exception {
        var good = rest(callbacks, TASK);
        var job = good.substring(0, good.indexOf('/'));
        var signature = good.substring(good.indexOf('/') + 1);
        var other = TemplateValues.key(TaskId.of(1, 2, 4));
        var stranger = rest(Callbacks.at(BASE, new MemoryTaskStore().rows()), TASK);
        assertThat(List.of(
                        other + "/" + signature,
                        job + "/",
                        job,
                        "/" + signature,
                        "",
                        "/",
                        good + "/",
                        good + "A",
                        good.substring(0, good.length() - 1),
                        job + "/" + signature.toUpperCase(Locale.ROOT),
                        job + "/" + "\u00e4".repeat(43),
                        stranger))
                .noneMatch(callbacks::take);
    }

    @Test
    void no_address_is_taken_where_none_was_ever_given() throws Exception {
        var stranger = rest(Callbacks.at(BASE, new MemoryTaskStore().rows()), TASK);
        assertThat(callbacks.take(stranger)).isFalse();
        assertThat(rows.list("callback-key", null, 10, Instant.EPOCH)).isEmpty();
    }

    @Test
    void the_next_server_takes_what_this_one_has_given_and_gives_the_same() throws Exception {
        var good = rest(callbacks, TASK);
        var next = Callbacks.at(BASE, rows);
        assertThat(next.take(good)).isTrue();
        assertThat(rest(next, TASK)).isEqualTo(good);
        assertThat(rows.list("callback-key", null, 10, Instant.EPOCH)).hasSize(1);
    }

    @Test
    void nodes_that_make_a_key_at_once_take_each_others_addresses() throws Exception {
        var shared = MemoryTaskStore.shared().rows();
        var one = Callbacks.at(BASE, shared);
        var first = rest(one, TASK);
        // Another node has found no key when this one made its own, and its key sorts before that.
        shared.put(new RowStore.StoredRow("callback-key", "0", Payload.ofText("k"), null));
        var other = Callbacks.at(BASE, shared);
        var second = rest(other, TASK);
        assertThat(second).isNotEqualTo(first);
        assertThat(other.take(first)).isTrue();
        assertThat(one.take(second)).isTrue();
    }

    @Test
    void a_job_that_this_node_does_not_follow_is_told_to_the_others() throws Exception {
        var told = new ArrayList<String>();
        callbacks.onOtherJob(told::add);
        assertThat(callbacks.take(rest(callbacks, TASK))).isTrue();
        assertThat(told).containsExactly(TemplateValues.key(TASK));
        var waiting = callbacks.await(TASK);
        assertThat(callbacks.take(rest(callbacks, TASK))).isTrue();
        assertThat(told).hasSize(1);
        assertThat(waiting.availablePermits()).isEqualTo(1);
        callbacks.forget(TASK, waiting);
        assertThat(callbacks.wake(TemplateValues.key(TASK))).isFalse();
    }

    @Test
    void a_job_that_wants_callbacks_is_refused_where_there_are_none() {
        try (var without = HttpBackend.create()) {
            var job = HttpJob.at("https://ci.example.com/").query("tell", "{task.callback}");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> without.running(job.build(), HttpBackendContract.JSON, HttpBackendContract.TEXT))
                    .withMessageContaining("serve it over HTTP");
        }
    }

    @Test
    void a_job_is_looked_at_ever_more_seldom_where_the_api_was_given_an_address() throws Exception {
        var running = new ArrayList<Said>();
        for (int i = 0; i < 40; i++) {
            // What the API asks for is the least, and no more is asked of it than that.
            running.add(new Said(200, Map.of("Retry-After", "1"), "{\"status\":\"Running\"}"));
        }
        running.add(Said.json(200, "{\"status\":\"Succeeded\"}"));
        api.on("POST /run", new Said(202, Map.of("Location", "/runs/7"), ""));
        api.on("GET /runs/7", running.toArray(Said[]::new));
        assertThat(job().run(run())).isInstanceOf(Outcome.Result.class);
        assertThat(api.seen.getFirst().body()).isEqualTo("{\"tell\":\"" + callbacks.address(TASK) + "\"}");
        assertThat(now.get())
                .isBetween(Instant.EPOCH.plus(Duration.ofHours(2)), Instant.EPOCH.plus(Duration.ofHours(3)));
        assertThat(pauses).contains(Duration.ofMinutes(5).minus(PollPace.LEAST));
    }

    @Test
    void pauses_are_short_again_after_a_callback() throws Exception {
        var rest = rest(callbacks, TASK);
        var running = Said.json(200, "{\"status\":\"Running\"}");
        api.on("POST /run", new Said(202, Map.of("Location", "/runs/7"), ""));
        api.on("GET /runs/7", running, running, running, running, Said.json(200, "{\"status\":\"Done\"}"));
        api.onRequest(4, () -> callbacks.take(rest));
        job().run(run());
        assertThat(pauses).endsWith(Duration.ZERO, PollPace.LEAST, Duration.ofMillis(250));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void a_callback_has_the_next_look_come_soon_however_often_it_comes(int times) throws Exception {
        var rest = rest(callbacks, TASK);
        api.on("POST /run", new Said(202, Map.of("Location", "/runs/7", "Retry-After", "600"), ""));
        api.on("GET /runs/7", Said.json(200, "{\"status\":\"Running\"}"), Said.json(200, "{\"status\":\"Done\"}"));
        // It comes before the start is answered.
        api.onRequest(1, () -> {
            for (int i = 0; i < times; i++) {
                assertThat(callbacks.take(rest)).isTrue();
            }
        });
        job().run(run());
        // Soon, and soon again: an API may call before it shows what it has called for.
        assertThat(pauses).containsExactly(PollPace.LEAST, Duration.ZERO, PollPace.LEAST, Duration.ofMillis(250));
    }

    @Test
    void no_status_is_read_between_the_start_and_the_callback_where_the_author_sets_a_pause() throws Exception {
        var rest = rest(callbacks, TASK);
        begins(DONE);
        meanwhile = () -> {
            assertThat(requests()).containsExactly("POST /run");
            callbacks.take(rest);
            callbacks.take(rest);
        };
        assertThat(awaited().run(run())).isInstanceOf(Outcome.Result.class);
        assertThat(requests()).containsExactly("POST /run", "GET /runs/7");
        assertThat(pauses).containsExactly(PollPace.LEAST, Duration.ZERO);
    }

    @Test
    void a_callback_that_is_lost_is_found_after_the_pause_of_the_author() throws Exception {
        begins(RUNNING, DONE);
        assertThat(awaited().run(run())).isInstanceOf(Outcome.Result.class);
        assertThat(requests()).containsExactly("POST /run", "GET /runs/7", "GET /runs/7");
        var rest = HOURS.minus(PollPace.LEAST);
        assertThat(pauses).containsExactly(PollPace.LEAST, rest, PollPace.LEAST, rest);
    }

    @Test
    void a_callback_that_comes_before_its_change_has_a_few_looks_follow_soon_and_then_none_for_long() throws Exception {
        var rest = rest(callbacks, TASK);
        begins(RUNNING, RUNNING, RUNNING, RUNNING, RUNNING, RUNNING, DONE);
        var called = new AtomicBoolean();
        meanwhile = () -> {
            if (called.compareAndSet(false, true)) {
                callbacks.take(rest);
            }
        };
        awaited().run(run());
        assertThat(pauses.stream().filter(pause -> !pause.equals(PollPace.LEAST)))
                .startsWith(Duration.ZERO)
                .endsWith(HOURS.minus(PollPace.LEAST), HOURS.minus(PollPace.LEAST));
        var soon = pauses.subList(0, pauses.size() - 3);
        assertThat(soon.stream().reduce(Duration.ZERO, Duration::plus)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void the_next_server_reads_the_status_once_since_a_callback_may_have_come_meanwhile() throws Exception {
        begins(RUNNING, DONE);
        var run = run();
        run.saveHandle(ApiJobHandle.notBegun(JsonNodeFactory.instance.objectNode())
                .begun(new StartedJob("7", URI.create(api.origin() + "/runs/7"), null))
                .saved());
        awaited().run(run);
        assertThat(requests()).containsExactly("GET /runs/7", "GET /runs/7");
        assertThat(pauses).containsExactly(Duration.ZERO, PollPace.LEAST, HOURS.minus(PollPace.LEAST));
    }

    @Test
    void a_job_that_the_last_server_began_and_did_not_record_is_looked_at_at_once() throws Exception {
        begins(DONE);
        var run = run();
        run.saveHandle(ApiJobHandle.notBegun(JsonNodeFactory.instance.objectNode())
                .starting()
                .saved());
        running(toldWhereToCall().idempotencyKey("Key").every(HOURS)).run(run);
        assertThat(requests()).containsExactly("POST /run", "GET /runs/7");
        assertThat(pauses).containsExactly(Duration.ZERO);
    }

    @Test
    void a_job_that_is_cancelled_is_looked_at_until_it_has_stopped_and_not_for_a_callback() throws Exception {
        var stopping = Said.json(200, "{\"status\":\"Running\"}");
        begins(stopping, stopping, Said.json(200, "{\"status\":\"Cancelled\"}"));
        api.on("DELETE /runs/7", Said.json(202, "{}"));
        var run = run();
        run.saveHandle(ApiJobHandle.notBegun(JsonNodeFactory.instance.objectNode())
                .begun(new StartedJob("7", URI.create(api.origin() + "/runs/7"), null))
                .saved());
        running(toldWhereToCall()
                        .cancel("DELETE", api.origin() + "/runs/{job.id}")
                        .every(HOURS))
                .stop(run);
        assertThat(requests()).containsExactly("DELETE /runs/7", "GET /runs/7", "GET /runs/7", "GET /runs/7");
        assertThat(now.get()).isBefore(Instant.EPOCH.plus(Duration.ofMinutes(1)));
    }
}

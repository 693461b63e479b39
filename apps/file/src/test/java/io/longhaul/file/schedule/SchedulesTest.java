// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import io.longhaul.engine.TaskEngine.Deleted;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.file.ServerFile;
import io.longhaul.file.operate.Pauses;
import io.longhaul.file.operate.Pauses.Kind;
import io.longhaul.file.schedule.ScheduleEntry.Overlap;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls by the clock. The first time of the clock of these tests is a full quarter of an hour. */
@Timeout(60)
class SchedulesTest {

    private static final Duration QUARTER = Duration.ofMinutes(15);
    private static final String EVERY_QUARTER = "{tool: says, arguments: {name: Ada}, every: 15m, overlap: all}";
    private static final String SKIPPING =
            "{tool: says, arguments: {name: Ada}, every: 15m, missed: skip, overlap: all}";

    /** What a tool takes. */
    record Name(String name) {}

    @TempDir
    private Path folder;

    private final FakeTime time = new FakeTime();
    private final FakeTime behind = new FakeTime();
    private final TaskStore store = new MemoryTaskStore();
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final Semaphore holding = new Semaphore(0);
    private final Semaphore go = new Semaphore(0);

    private final Http http = Http.onPort(0);

    @AutoClose
    private final McpServer server = McpServer.builder("calls", "1")
            .store(store)
            .limits(TaskLimits.builder().livePerOwner(3).build())
            .tool(Tool.define("holds").longRunning().handler((none, task) -> {
                holding.release();
                go.acquire();
                return "held";
            }))
            .tool(Tool.define("says").input(Name.class).longRunning().handler((who, task) -> "Hello, " + who.name()))
            .serve(http);

    private List<ScheduleEntry> read(String... schedules) throws IOException {
        var yaml = new StringBuilder("tools: {says: {command: [echo]}, holds: {command: [echo]}}\nschedules:\n");
        for (int i = 0; i < schedules.length; i++) {
            yaml.append("  s").append(i).append(": ").append(schedules[i]).append('\n');
        }
        return ServerFile.read(Files.writeString(folder.resolve("tools.yaml"), yaml))
                .schedules();
    }

    /** A server with this schedule, which has looked at what it missed. */
    private Schedules begun(String schedule) throws Exception {
        var schedules = new Schedules(time, store.rows(), server.tasks());
        schedules.begin(read(schedule));
        time.advance(Duration.ZERO);
        time.awaitAlarms(1);
        return schedules;
    }

    private void pass(Duration duration) throws InterruptedException {
        time.advance(duration);
        time.awaitAlarms(1);
    }

    private List<Task> made() {
        return server.tasks().list(TaskFilter.ALL, null, 100).tasks();
    }

    @Test
    void of_schedules_that_change_an_equal_one_goes_on_and_another_one_begins_anew() throws Exception {
        var schedules = begun(EVERY_QUARTER);
        pass(QUARTER.minusMillis(1));
        schedules.begin(read(EVERY_QUARTER));
        pass(Duration.ofMillis(1));
        assertThat(made()).hasSize(1);
        schedules.begin(read("{tool: holds, every: 1h}"));
        pass(QUARTER);
        assertThat(made()).hasSize(1);
        pass(Duration.ofHours(1));
        assertThat(made())
                .hasSize(2)
                .first()
                .satisfies(task -> assertThat(task.spec().work()).isEqualTo("holds"));
        schedules.begin(List.of());
        time.advance(Duration.ofHours(3));
        assertThat(made()).hasSize(2);
    }

    @Test
    void a_tool_is_called_whenever_it_is_due_and_not_before() throws Exception {
        begun(EVERY_QUARTER);
        assertThat(made()).isEmpty();
        pass(QUARTER.minusMillis(1));
        assertThat(made()).isEmpty();
        pass(Duration.ofMillis(1));
        assertThat(made()).hasSize(1).first().satisfies(task -> {
            assertThat(task.spec().work()).isEqualTo("says");
            assertThat(task.spec().request().text()).isEqualTo("{\"name\":\"Ada\"}");
        });
        pass(QUARTER);
        assertThat(made()).hasSize(2);
    }

    @Test
    void what_was_due_while_no_server_was_there_is_called_once() throws Exception {
        begun(EVERY_QUARTER).close();
        time.advance(Duration.ofHours(2).plusMinutes(1));
        begun(EVERY_QUARTER);
        assertThat(made()).hasSize(1);
        pass(QUARTER);
        assertThat(made()).hasSize(2);
    }

    @Test
    void what_was_due_while_no_server_was_there_is_left_out_where_the_file_says_so() throws Exception {
        begun(SKIPPING).close();
        time.advance(Duration.ofHours(2).plusMinutes(1));
        begun(SKIPPING);
        assertThat(made()).isEmpty();
        pass(QUARTER);
        assertThat(made()).hasSize(1);
    }

    /** The schedule of a tool that holds on, with its first task, which holds. */
    private Task holding(String overlap) throws Exception {
        begun("{tool: holds, every: 15m, overlap: " + overlap + "}");
        pass(QUARTER);
        holding.acquire();
        return made().getFirst();
    }

    private List<String> logged(Task task) {
        return server.tasks().history(task.id(), 0, 100).stream()
                .filter(event -> event.what() instanceof EventDetail.Logged)
                .map(event -> ((EventDetail.Logged) event.what()).data().text())
                .toList();
    }

    private void end(Task task) {
        go.release();
        while (!server.tasks().find(task.id()).orElseThrow().state().isTerminal()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_call_is_left_out_while_the_task_of_the_last_one_runs_and_that_task_says_so() throws Exception {
        var first = holding("skip");
        pass(QUARTER);
        pass(QUARTER);
        assertThat(made()).containsExactly(server.tasks().find(first.id()).orElseThrow());
        assertThat(logged(first)).singleElement().asString().contains("schedule s0 leaves out");
        end(first);
        pass(QUARTER);
        assertThat(made()).hasSize(2);
    }

    @Test
    void a_schedule_leaves_out_what_overlaps_unless_the_file_says_otherwise() throws Exception {
        assertThat(read("{tool: says, every: 15m}"))
                .extracting(ScheduleEntry::overlap)
                .containsExactly(Overlap.SKIP);
    }

    @Test
    void a_call_waits_for_the_end_of_the_last_task_and_stands_for_all_that_were_due_until_then() throws Exception {
        var first = holding("queue");
        pass(QUARTER);
        pass(QUARTER);
        assertThat(made()).hasSize(1);
        assertThat(logged(first)).singleElement().asString().contains("schedule s0 waits");
        end(first);
        pass(Duration.ofSeconds(1));
        assertThat(made()).hasSize(2);
        pass(Duration.ofMinutes(1));
        assertThat(made()).hasSize(2);
    }

    @Test
    void a_call_replaces_the_last_task() throws Exception {
        var first = holding("replace");
        pass(QUARTER);
        assertThat(made()).hasSize(2);
        assertThat(server.tasks().find(first.id()).orElseThrow().status().state())
                .isEqualTo(TaskState.CANCELLED);
    }

    @Test
    void each_call_is_made_where_the_file_says_so() throws Exception {
        holding("all");
        pass(QUARTER);
        pass(QUARTER);
        assertThat(made()).hasSize(3);
    }

    @Test
    void a_paused_schedule_leaves_out_what_is_due_and_does_not_make_up_for_it() throws Exception {
        begun(EVERY_QUARTER);
        var pauses = new Pauses(store.rows());
        pauses.begin(Kind.SCHEDULE, "s0", time.now());
        pass(QUARTER);
        pass(QUARTER);
        assertThat(made()).isEmpty();
        pauses.end(Kind.SCHEDULE, "s0");
        pass(QUARTER);
        assertThat(made()).hasSize(1);
    }

    @Test
    void another_server_knows_the_task_of_the_last_call() throws Exception {
        holding("skip");
        var schedules = new Schedules(time, store.rows(), server.tasks());
        schedules.begin(read("{tool: holds, every: 15m}"));
        time.advance(Duration.ZERO);
        time.awaitAlarms(2);
        time.advance(QUARTER);
        time.awaitAlarms(2);
        assertThat(made()).hasSize(1);
    }

    @Test
    void the_clock_and_local_callers_do_not_use_up_the_allowance_of_one_another() throws Exception {
        holding("all");
        pass(QUARTER);
        pass(QUARTER);
        pass(QUARTER);
        assertThat(made()).hasSize(3);
        holding.acquire(2);
        try (var client = McpClient.to(http.url()).connect()) {
            assertThat(client.call("says", new Name("Bob")).await().toString()).contains("Hello, Bob");
        }
    }

    @Test
    void servers_of_one_database_make_one_task() throws Exception {
        begun(EVERY_QUARTER);
        var other = new Schedules(time, store.rows(), server.tasks());
        other.begin(read(EVERY_QUARTER));
        time.advance(Duration.ZERO);
        time.awaitAlarms(2);
        time.advance(QUARTER);
        time.awaitAlarms(2);
        assertThat(made()).hasSize(1);
    }

    @Test
    void a_call_that_a_front_server_makes_is_run_at_another_one_which_does_not_make_it_again() throws Exception {
        var shared = MemoryTaskStore.shared(new FakeTime());
        try (var front = node(shared, "front", false);
                var work = node(shared, "work", true)) {
            new Schedules(time, shared.rows(), front.tasks()).begin(read(EVERY_QUARTER));
            time.advance(Duration.ZERO);
            time.awaitAlarms(1);
            pass(QUARTER);
            new Schedules(time, shared.rows(), work.tasks()).begin(read(EVERY_QUARTER));
            time.advance(Duration.ZERO);
            time.awaitAlarms(2);
            var task = onlyTask(front);
            while (!task.state().isTerminal()) {
                behind.advance(Duration.ofMillis(200));
                task = onlyTask(front);
            }
            assertThat(task.state()).isEqualTo(TaskState.COMPLETED);
            assertThat(ran).containsExactly("work");
        }
    }

    private static Task onlyTask(McpServer server) {
        var all = server.tasks().list(TaskFilter.ALL, null, 100).tasks();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    /** A server by the clock {@link #behind}. */
    private McpServer node(TaskStore shared, String name, boolean runsAll) {
        return McpServer.builder("calls", "1")
                .node(name)
                .time(behind)
                .store(new Connection(shared))
                .runs(tool -> runsAll)
                .tool(Tool.define("says").input(Name.class).longRunning().handler((who, task) -> {
                    ran.add(name);
                    return who.name();
                }))
                .serve(new MemoryTransport());
    }

    /** What one server has of a store: its end is not that of the store. */
    private static final class Connection extends ForwardingStore {
        Connection(TaskStore shared) {
            super(shared);
        }

        @Override
        public void close() {}
    }

    /** A server of the same database, whose clock is behind. */
    private void late(Duration by) throws Exception {
        behind.jump(by.negated());
        var late = new Schedules(behind, store.rows(), server.tasks());
        late.begin(read(EVERY_QUARTER));
        behind.advance(Duration.ZERO);
        behind.awaitAlarms(1);
    }

    private void passLate(Duration duration) throws InterruptedException {
        behind.advance(duration);
        behind.awaitAlarms(1);
    }

    @Test
    void a_server_whose_clock_is_behind_calls_nothing_again_whose_task_is_gone() throws Exception {
        begun(EVERY_QUARTER);
        late(Duration.ofMinutes(3));
        pass(QUARTER);
        pass(QUARTER);
        assertThat(made()).hasSize(2);
        for (var task : made()) {
            while (!(server.tasks().delete(task.id()) instanceof Deleted.Done)) {
                Thread.onSpinWait();
            }
        }
        passLate(QUARTER.multipliedBy(2).plusMinutes(3));
        assertThat(made()).isEmpty();
        assertThat(called()).isEqualTo(FakeTime.START.plus(QUARTER.multipliedBy(2)));
        passLate(QUARTER);
        assertThat(made()).hasSize(1);
    }

    @Test
    void a_call_that_was_recorded_by_a_clock_far_ahead_stops_no_schedule() throws Exception {
        var ahead = begun(EVERY_QUARTER);
        time.jump(Duration.ofDays(1000));
        pass(Duration.ofMinutes(1));
        pass(QUARTER);
        assertThat(called()).isAfter(FakeTime.START.plus(Duration.ofDays(1000)));
        ahead.close();
        time.jump(Duration.ofDays(-1000));
        time.advance(Duration.ofMinutes(1));
        begun(EVERY_QUARTER);
        pass(QUARTER);
        assertThat(called()).isEqualTo(FakeTime.START.plus(QUARTER.multipliedBy(2)));
        assertThat(made()).hasSize(3);
    }

    @Test
    void a_server_that_dies_between_a_call_and_its_record_makes_no_second_task() throws Exception {
        begun(EVERY_QUARTER).close();
        var before = store.rows().list("schedule", null, 1, time.now()).getFirst();
        time.advance(QUARTER);
        begun(EVERY_QUARTER).close();
        assertThat(made()).hasSize(1);
        store.rows().put(before);
        begun(EVERY_QUARTER);
        assertThat(made()).hasSize(1);
    }

    @Test
    void a_clock_that_jumps_ahead_leaves_one_call_behind() throws Exception {
        begun(EVERY_QUARTER);
        time.jump(Duration.ofDays(1));
        pass(Duration.ofMinutes(1));
        assertThat(made()).hasSize(1);
        pass(QUARTER);
        assertThat(made()).hasSize(2);
    }

    @Test
    void a_call_that_is_refused_waits_until_it_is_due_again() throws Exception {
        begun("{tool: says, every: 15m}");
        pass(QUARTER);
        assertThat(called()).isEqualTo(FakeTime.START.plus(QUARTER));
        pass(QUARTER);
        assertThat(called()).isEqualTo(time.now());
        assertThat(made()).isEmpty();
    }

    @Test
    void a_call_that_the_storage_fails_is_tried_again() throws Exception {
        var faulty = new FaultyTaskStore(store, 0);
        var schedules = new Schedules(time, faulty.rows(), server.tasks());
        schedules.begin(read(EVERY_QUARTER));
        time.advance(Duration.ZERO);
        time.awaitAlarms(1);
        faulty.refuseWrites();
        pass(QUARTER);
        assertThat(called()).isEqualTo(FakeTime.START);
        faulty.free();
        pass(Duration.ofSeconds(10));
        assertThat(called()).isEqualTo(FakeTime.START.plus(QUARTER));
        assertThat(made()).hasSize(1);
    }

    /** The last call that is recorded. */
    private Instant called() {
        return Instant.parse(store.rows()
                .get("schedule", "s0", time.now())
                .orElseThrow()
                .value()
                .text());
    }

    @Test
    void no_call_is_made_after_the_end_of_a_server() throws Exception {
        begun(EVERY_QUARTER).close();
        time.advance(QUARTER);
        begun(SKIPPING);
        assertThat(made()).isEmpty();
    }

    @Test
    void cron_says_times_in_a_zone_also_where_its_clocks_are_set() throws Exception {
        var times = read("{tool: says, cron: '30 3 * * 1-5', zone: Europe/Berlin}")
                .getFirst()
                .times();
        // The last Friday of winter time, and the Monday after it, in 2026.
        var friday = Instant.parse("2026-03-27T02:30:00Z");
        var monday = Instant.parse("2026-03-30T01:30:00Z");
        assertThat(times.after(friday)).isEqualTo(monday);
        assertThat(times.after(friday.minusMillis(1))).isEqualTo(friday);
        assertThat(times.upTo(friday)).isEqualTo(friday);
        assertThat(times.upTo(friday.minusMillis(1))).isEqualTo(Instant.parse("2026-03-26T02:30:00Z"));
        assertThat(times.upTo(monday.minusMillis(1))).isEqualTo(friday);
    }
}

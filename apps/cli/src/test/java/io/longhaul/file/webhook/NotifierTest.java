// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.secret.Secret;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.file.webhook.NotifyEntry.End;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.server.DeclinedException;
import io.longhaul.server.McpServer;
import io.longhaul.server.ServerTasks.Started;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Receivers that are told of the ends of tasks: each end once where all goes well, and never less. */
@Timeout(60)
class NotifierTest {

    private static final String SECRET = "correct horse";

    /** What a tool takes. */
    record Word(String word) {}

    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = new MemoryTaskStore();
    private final BlockingQueue<ServerEvent> events = new LinkedBlockingQueue<>();
    private final CountDownLatch gate = new CountDownLatch(1);
    private TestRecipient recipient;
    private Notifier notifier;
    private McpServer server;

    @BeforeEach
    void begin() throws IOException {
        recipient = new TestRecipient(SECRET);
    }

    @AfterEach
    void end() {
        gate.countDown();
        notifier.close();
        server.close();
        recipient.close();
    }

    private NotifyEntry entry(String name, TestRecipient told, Set<End> on, Set<String> tools) {
        return new NotifyEntry(name, URI.create(told.url()), env -> List.of(() -> SECRET), on, tools);
    }

    private void serve(TaskStore kept, NotifyEntry... entries) {
        notifier = new Notifier(List.of(entries), new Notifier.Parts(Map.of(), time, new Random(1)), events::add);
        server = McpServer.builder("told", "1")
                .store(kept)
                .time(time)
                .monitor(notifier)
                .tool(Tool.define("says").input(Word.class).longRunning().handler((word, task) -> word.word()))
                .tool(Tool.define("fails").longRunning().handler((none, task) -> {
                    throw new ToolException("no");
                }))
                .tool(Tool.define("asks").longRunning().handler((none, task) -> {
                    throw new DeclinedException("no");
                }))
                .tool(Tool.define("waits").longRunning().handler((none, task) -> {
                    gate.await();
                    return "done";
                }))
                .serve(Http.onPort(0));
    }

    private void serve() {
        serve(store, entry("ops", recipient, Set.of(), Set.of()));
    }

    private Task start(String tool) {
        return ((Started.New) server.tasks().start(tool, tool.equals("says") ? new Word("a secret") : Map.of())).task();
    }

    private List<EndNotice> rows(TaskStore of) {
        return of.rows().list(EndNotice.SPACE, null, 100, time.now()).stream()
                .map(EndNotice::of)
                .toList();
    }

    private void untilNoRowIsLeft() {
        while (!rows(store).isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void an_end_is_told_signed_and_without_what_the_task_was_about() throws Exception {
        serve();
        var task = start("says");
        var message = recipient.take();
        assertThat(message.isSigned()).isTrue();
        assertThat(message.id()).isEqualTo("end_" + task.id().value());
        var at = time.now().toString();
        assertThat(message.body())
                .hasToString(
                        "{\"type\":\"task.completed\",\"timestamp\":\"" + at + "\",\"data\":{\"taskId\":\"" + task.id()
                                + "\",\"tool\":\"says\",\"status\":\"completed\",\"createdAt\":\"" + at
                                + "\",\"endedAt\":\"" + at
                                + "\"}}");
        untilNoRowIsLeft();
        assertThat(recipient.rest()).isEmpty();
    }

    @Test
    void a_recipient_is_told_of_the_ends_and_tools_that_it_wants() throws Exception {
        var ends = Set.of(End.FAILED, End.CANCELLED, End.DECLINED);
        serve(store, entry("ops", recipient, ends, Set.of("says", "fails", "waits", "asks")));
        start("says");
        start("asks");
        assertThat(recipient.take().type()).isEqualTo("task.declined");
        var failed = start("fails");
        var message = recipient.take();
        assertThat(message.task()).isEqualTo(failed.id().value());
        assertThat(message.type()).isEqualTo("task.failed");
        var waiting = start("waits");
        server.tasks().cancel(waiting.id(), "enough");
        assertThat(recipient.take().type()).isEqualTo("task.cancelled");
        untilNoRowIsLeft();
        assertThat(recipient.rest()).isEmpty();
    }

    @Test
    void a_recipient_that_fails_twice_is_told_a_third_time_with_the_same_message() throws Exception {
        recipient.answer(500, 302);
        serve();
        start("says");
        var first = recipient.take();
        for (int pause = 1; pause <= 2; pause++) {
            var most = NoticeReception.FIRST_PAUSE.multipliedBy(pause);
            time.awaitAlarmWithin(most);
            assertThat(recipient.rest()).isEmpty();
            time.advance(most);
            assertThat(recipient.take()).isEqualTo(first);
        }
        untilNoRowIsLeft();
        assertThat(events).isEmpty();
    }

    @Test
    void a_recipient_is_told_again_when_it_wants_that() throws Exception {
        recipient.answer(503);
        recipient.askFor("1200");
        serve();
        start("says");
        recipient.take();
        time.awaitAlarmIn(Duration.ofMinutes(20));
        time.advance(Duration.ofMinutes(20).minusMillis(1));
        assertThat(recipient.rest()).isEmpty();
        time.advance(Duration.ofMillis(1));
        recipient.take();
        untilNoRowIsLeft();
    }

    @Test
    void a_recipient_that_is_gone_is_told_no_more_and_those_who_run_the_server_are() throws Exception {
        recipient.answer(410);
        serve();
        var task = start("says");
        recipient.take();
        assertThat(events.take()).isInstanceOfSatisfying(ServerEvent.NoticeGivenUp.class, given -> {
            assertThat(given.task()).isEqualTo(task.id().value());
            assertThat(given.recipient()).isEqualTo("ops");
            assertThat(given.tries()).isEqualTo(1);
        });
        untilNoRowIsLeft();
    }

    @Test
    void a_recipient_that_takes_nothing_for_a_day_is_given_up() throws Exception {
        recipient.answerAlways(500);
        serve();
        start("says");
        recipient.take();
        time.awaitAlarmWithin(NoticeReception.FIRST_PAUSE);
        time.advance(EndNotice.PATIENCE.minusMinutes(1));
        recipient.take();
        assertThat(events).isEmpty();
        assertThat(rows(store)).hasSize(1);
        time.advance(Duration.ofHours(2));
        assertThat(events.take()).isInstanceOf(ServerEvent.NoticeGivenUp.class);
        untilNoRowIsLeft();
    }

    @Test
    void a_recipient_that_hangs_is_in_the_way_of_no_other() throws Exception {
        try (var hanging = new TestRecipient(SECRET)) {
            hanging.answerAlways(TestRecipient.NEVER);
            serve(store, entry("hangs", hanging, Set.of(), Set.of()), entry("ops", recipient, Set.of(), Set.of()));
            int many = Recipient.AT_ONCE * 3;
            for (int task = 0; task < many; task++) {
                start("says");
            }
            for (int told = 0; told < many; told++) {
                recipient.take();
            }
            for (int told = 0; told < Recipient.AT_ONCE; told++) {
                hanging.take();
            }
            assertThat(hanging.rest()).isEmpty();
        }
    }

    @Test
    void what_is_too_much_for_a_recipient_is_told_at_a_later_look() throws Exception {
        int most = Recipient.AT_ONCE + Recipient.WAITING;
        for (int task = 0; task <= most; task++) {
            var about = new EndNotice.About("ops", new TaskId("%036d".formatted(task)), time.now(), Json.raw("{}"));
            store.rows().put(new EndNotice(about, true, 0, time.now(), "").row());
        }
        Secret held = () -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return SECRET;
        };
        serve(store);
        int before = time.alarms();
        var entry = new NotifyEntry("ops", URI.create(recipient.url()), env -> List.of(held), Set.of(), Set.of());
        notifier = new Notifier(List.of(entry), new Notifier.Parts(Map.of(), time, new Random(1)), events::add);
        notifier.around(store);
        notifier.started(server);
        time.awaitAlarms(before + 1);
        gate.countDown();
        for (int told = 0; told < most; told++) {
            recipient.take();
        }
        while (rows(store).size() > 1) {
            Thread.onSpinWait();
        }
        assertThat(recipient.rest()).isEmpty();
        time.advance(Notifier.LOOK);
        recipient.take();
        untilNoRowIsLeft();
    }

    @Test
    void a_row_that_cannot_be_read_is_in_the_way_of_no_other() throws Exception {
        store.rows().put(new StoredRow(EndNotice.SPACE, "a", Payload.ofText("{}"), null));
        recipient.answer(500);
        serve();
        start("says");
        recipient.take();
        time.awaitAlarmWithin(NoticeReception.FIRST_PAUSE);
        notifier.close();
        server.close();
        try (var next = store.reopen()) {
            serve(next, entry("ops", recipient, Set.of(), Set.of()));
            time.advance(Notifier.LOOK);
            recipient.take();
        }
    }

    /** What a server leaves that is killed between the end and the message. */
    @Test
    void what_a_dead_server_has_not_told_its_successor_tells() throws Exception {
        serve();
        var task = start("waits");
        notifier.close();
        gate.countDown();
        while (rows(store).isEmpty()
                || server.tasks().find(task.id()).orElseThrow().ending() == null) {
            Thread.onSpinWait();
        }
        assertThat(recipient.rest()).isEmpty();
        server.close();
        try (var next = store.reopen()) {
            serve(next, entry("ops", recipient, Set.of(), Set.of()));
            assertThat(recipient.take().task()).isEqualTo(task.id().value());
        }
    }

    private void intend(NotifyEntry entry, Task task, StoredRow other) {
        var row = new EndNotice(
                new EndNotice.About(
                        entry.name(),
                        task.id(),
                        time.now(),
                        EndNotice.of(other).about().body()),
                false,
                0,
                time.now(),
                "");
        store.rows().put(row.row());
    }

    @Test
    void what_is_to_be_told_is_stored_before_the_end_and_another_server_cannot_change_it() throws Exception {
        var entry = entry("ops", recipient, Set.of(), Set.of());
        var held = new FaultyTaskStore(store, 0);
        serve(held, entry);
        var first = start("waits");
        server.tasks().cancel(first.id(), null);
        assertThat(recipient.take().type()).isEqualTo("task.cancelled");
        untilNoRowIsLeft();
        var second = start("waits");
        held.hold();
        gate.countDown();
        held.awaitHeld(1);
        var row = rows(store).getFirst();
        assertThat(row.isSure()).isFalse();
        var other = EndNotice.of(entry, server.tasks().find(first.id()).orElseThrow())
                .orElseThrow()
                .about();
        store.rows()
                .put(row.about(new EndNotice.About("ops", second.id(), time.now(), other.body()))
                        .row());
        assertThat(recipient.rest()).isEmpty();
        held.release();
        var message = recipient.take();
        assertThat(message.task()).isEqualTo(second.id().value());
        assertThat(message.type()).isEqualTo("task.completed");
    }

    /** What a server leaves that is killed between the row and the end. */
    @Test
    void an_end_that_never_came_is_not_told_and_the_one_that_came_is() throws Exception {
        var entry = entry("ops", recipient, Set.of(), Set.of());
        serve();
        recipient.answer(500);
        start("says");
        recipient.take();
        time.awaitAlarmWithin(NoticeReception.FIRST_PAUSE);
        var completed = store.rows().list(EndNotice.SPACE, null, 1, time.now()).getFirst();
        var waiting = start("waits");
        intend(entry, waiting, completed);
        time.advance(NoticeReception.FIRST_PAUSE);
        assertThat(recipient.take().task()).isNotEqualTo(waiting.id().value());
        while (rows(store).size() > 1) {
            Thread.onSpinWait();
        }
        time.advance(Notifier.LOOK);
        time.awaitAlarmWithin(Notifier.LOOK);
        time.advance(Notifier.LOOK);
        assertThat(rows(store).getFirst().about().task()).isEqualTo(waiting.id());
        assertThat(recipient.rest()).isEmpty();
        notifier.close();
        server.tasks().cancel(waiting.id(), null);
        // Another server has intended the other end, and lost.
        intend(entry, waiting, completed);
        server.close();
        try (var next = store.reopen()) {
            serve(next, entry);
            var message = recipient.take();
            assertThat(message.task()).isEqualTo(waiting.id().value());
            assertThat(message.type()).isEqualTo("task.cancelled");
        }
        assertThat(recipient.rest()).isEmpty();
    }

    @Test
    void several_servers_of_a_database_tell_what_one_has_left_once() throws Exception {
        var shared = MemoryTaskStore.shared(time);
        recipient.answer(500);
        serve(shared, entry("ops", recipient, Set.of(), Set.of()));
        start("says");
        recipient.take();
        notifier.close();
        var others = List.of(1, 2, 3).stream()
                .map(seed -> new Notifier(
                        List.of(entry("ops", recipient, Set.of(), Set.of())),
                        new Notifier.Parts(Map.of(), time, new Random(seed)),
                        events::add))
                .toList();
        int before = time.alarms();
        others.forEach(other -> {
            other.around(shared);
            other.started(server);
        });
        // Each has seen the row, and is to look again.
        time.awaitAlarms(before + 6);
        time.advance(Notifier.LOOK);
        recipient.take();
        while (!rows(shared).isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(recipient.rest()).isEmpty();
        others.forEach(Notifier::close);
    }
}

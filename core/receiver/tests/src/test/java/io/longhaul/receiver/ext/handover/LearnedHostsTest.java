// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.receiver.KnownHosts;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.server.LongRunning;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For how long calls are held, by what a version of a host did before. */
@Timeout(120)
class LearnedHostsTest {

    private static final Duration HOLD = PlainHosts.DEFAULT.hold();
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String WORK = Served.call("work", "{}");
    private static final String SLOW = Served.call("slow", "{}");

    private final MemoryTaskStore store = new MemoryTaskStore();
    private final FakeTime time = new FakeTime();
    private final Semaphore mayEnd = new Semaphore(0);

    /** One tool is held for as long as the host waits, the other for longer. */
    @AutoClose
    private final Served served =
            Served.on(store, time, tool("work", options -> {}), tool("slow", options -> options.hold(LONG)));

    private Tool tool(String name, Consumer<LongRunning> more) {
        return Tool.define(name)
                .longRunning(options -> more.accept(options.onCrash(CrashPolicy.RESTART)))
                .handler((none, task) -> {
                    mayEnd.acquire();
                    return "done";
                });
    }

    private Served.Handshake host() {
        return served.handshake("2025-06-18", "{}");
    }

    private void assertHeld(Duration hold) throws InterruptedException {
        var reply = host().send("tools/call", WORK);
        time.advanceToAlarmIn(hold);
        assertThat(Served.resultText(reply)).contains("work is still running");
    }

    private void assertHeldAlsoAfterRestart(Duration hold) throws InterruptedException {
        assertHeld(hold);
        served.restart();
        assertHeld(hold);
    }

    /** Two users of the host take a late answer: one alone teaches nothing for the others. */
    private void takeAfter(Duration some) throws InterruptedException {
        takeAfter(some, served.handshake("2025-06-18", Served.BOB, "{}"));
        takeAfter(some, host());
        awaitLearned("heardMs");
    }

    private void takeAfter(Duration some, Served.Handshake client) throws InterruptedException {
        var reply = client.send("tools/call", SLOW);
        time.awaitAlarmIn(LONG);
        time.advance(some);
        mayEnd.release();
        assertThat(Served.resultText(reply)).isEqualTo("done");
    }

    /** Two users of the host give up. */
    private void giveUpAfter(Duration some, Duration hold) throws InterruptedException {
        giveUpAfter(some, hold, served.handshake("2025-06-18", Served.BOB, "{}"));
        giveUpAfter(some, hold, host());
        awaitLearned("gaveUpMs");
    }

    private void giveUpAfter(Duration some, Duration hold, Served.Handshake client) throws InterruptedException {
        client.send("tools/call", WORK);
        time.awaitAlarmIn(hold);
        time.advance(some);
        client.post(Served.notification(
                        "notifications/cancelled", "{\"requestId\":1,\"reason\":\"Request timed out\"}"))
                .status();
    }

    /** The server learns when it has answered. */
    private void awaitLearned(String what) {
        while (store.rows().list(KnownHosts.SPACE, null, 1, time.now()).stream()
                .noneMatch(row -> row.value().text().contains(what))) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_host_that_gave_up_early_is_answered_earlier_next_time_also_after_a_restart() throws Exception {
        giveUpAfter(Duration.ofSeconds(20), HOLD);
        assertHeldAlsoAfterRestart(Duration.ofSeconds(15));
    }

    @Test
    void a_host_that_took_a_late_answer_is_held_for_as_long_also_after_a_restart() throws Exception {
        takeAfter(Duration.ofSeconds(100));
        assertHeldAlsoAfterRestart(Duration.ofSeconds(100));
    }

    @Test
    void a_host_that_gives_up_earlier_than_it_took_an_answer_is_held_for_less_than_that() throws Exception {
        takeAfter(Duration.ofSeconds(100));
        giveUpAfter(Duration.ofSeconds(80), Duration.ofSeconds(100));
        assertHeld(HOLD);
    }

    @Test
    void a_pipe_takes_late_answers_whether_its_host_waits_or_not_and_teaches_nothing() throws Exception {
        try (var client = served.connect()) {
            client.send(Served.initialize("2025-06-18", "{}"));
            client.next();
            client.send(Served.request(1, "tools/call", SLOW));
            time.awaitAlarmIn(LONG);
            time.advance(Duration.ofSeconds(100));
            mayEnd.release();
            assertThat(client.next()).contains("done");
            client.send(Served.request(2, "tools/call", WORK));
            time.awaitAlarmIn(HOLD);
        }
    }

    @Test
    void the_version_that_was_learned_first_is_forgotten_when_a_thousand_are_known() {
        var known = new KnownHosts(PlainHosts.DEFAULT, List.of(), time::now);
        for (int version = 0; version < 1_000; version++) {
            learn(known, version);
        }
        assertThat(known.of(version(0)).hold()).isEqualTo(Duration.ofSeconds(15));
        learn(known, 1_000);
        assertThat(known.of(version(0)).hold()).isEqualTo(HOLD);
        assertThat(known.of(version(1)).hold()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void the_name_of_a_host_matches_the_table_in_upper_or_lower_case() {
        var known = new KnownHosts(PlainHosts.DEFAULT, List.of(), time::now);
        var copilot = new KnownHosts.HostVersion("jetbrains-iu/COPILOT-intellij", "1.0");
        assertThat(known.of(copilot).hold()).isEqualTo(Duration.ofSeconds(25));
        assertThat(known.of(new KnownHosts.HostVersion("cursor-vscode 2", "1.0"))
                        .hold())
                .isEqualTo(HOLD);
    }

    private void learn(KnownHosts known, int version) {
        var gaveUp = new KnownHosts.Learned(Duration.ofSeconds(20), null);
        known.learn(version(version), gaveUp);
    }

    private static KnownHosts.HostVersion version(int version) {
        return new KnownHosts.HostVersion("a host", "1." + version);
    }
}

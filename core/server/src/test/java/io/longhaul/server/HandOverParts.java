// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.receiver.PlainHosts;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** What tests of long calls in hosts that know no tasks have in common. */
@Timeout(60)
abstract class HandOverParts {

    static final Duration HOLD = PlainHosts.DEFAULT.hold();
    static final Duration LONG = Duration.ofMinutes(10);
    static final Duration HEARTBEAT = Duration.ofSeconds(10);
    static final String PLAIN = "{}";
    static final String WORK = Served.call("work", "{\"name\":\"Ada\"}");
    static final String TIMED_OUT = "McpError: MCP error -32001: Request timed out";

    final FakeTime time = new FakeTime();
    final Semaphore mayEnd = new Semaphore(0);
    final AtomicInteger runs = new AtomicInteger();

    Tool work() {
        return work(options -> {});
    }

    Tool work(Consumer<LongRunning> more) {
        return Tool.define("work")
                .description("Works")
                .input(Tools.Name.class)
                .longRunning(options -> more.accept(options.onCrash(CrashPolicy.RESTART)))
                .handler((who, task) -> {
                    runs.incrementAndGet();
                    task.progress(1, 2, "half");
                    mayEnd.acquire();
                    return "done for " + who.name();
                });
    }

    Served serve(Tool... tools) {
        return Served.with(time, tools);
    }

    /** The answer to a call whose time is over. */
    JsonNode after(Duration hold, MemoryReply reply) throws InterruptedException {
        time.advanceToAlarmIn(hold);
        return result(reply);
    }

    /** A call whose work has told how far it is. */
    static MemoryReply halfWay(Served.Handshake client) {
        var reply = client.send("tools/call", Served.and(WORK, "\"_meta\":{\"progressToken\":1}"));
        assertThat(reply.nextMessage()).contains("half");
        return reply;
    }

    /** The answer to such a call when its time is over. */
    JsonNode afterHalfWay(Served.Handshake client) throws InterruptedException {
        var reply = halfWay(client);
        time.awaitAlarmIn(HEARTBEAT);
        time.advance(HOLD);
        return result(reply);
    }

    static JsonNode result(MemoryReply reply) {
        return Served.json(reply.response()).path("result");
    }

    /** The task that an answer names. */
    static String named(JsonNode result) {
        var words = text(result).split("\"task\":\"");
        assertThat(words.length).as(text(result)).isGreaterThan(1);
        return words[1].substring(0, words[1].indexOf('"'));
    }

    static MemoryReply go(Served.Handshake client, String tool, String task) {
        return client.send("tools/call", Served.call(tool, "{\"task\":\"" + task + "\"}"));
    }

    static String list(Served.Handshake client) {
        return text(client.ask("tools/call", Served.call("task_list", "{}")).path("result"));
    }

    static String givenUp(int id, String reason) {
        return Served.notification(
                "notifications/cancelled", "{\"requestId\":" + id + ",\"reason\":\"" + reason + "\"}");
    }
}

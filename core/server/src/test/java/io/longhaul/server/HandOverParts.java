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
public abstract class HandOverParts {

    public static final Duration HOLD = PlainHosts.DEFAULT.hold();
    public static final Duration LONG = Duration.ofMinutes(10);
    public static final Duration HEARTBEAT = Duration.ofSeconds(10);
    public static final String PLAIN = "{}";
    public static final String WORK = Served.call("work", "{\"name\":\"Ada\"}");
    public static final String TIMED_OUT = "McpError: MCP error -32001: Request timed out";

    public final FakeTime time = new FakeTime();
    public final Semaphore mayEnd = new Semaphore(0);
    public final AtomicInteger runs = new AtomicInteger();

    public Tool work() {
        return work(options -> {});
    }

    public Tool work(Consumer<LongRunning> more) {
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

    public Served serve(Tool... tools) {
        return Served.with(time, tools);
    }

    /** The answer to a call whose time is over. */
    public JsonNode after(Duration hold, MemoryReply reply) throws InterruptedException {
        time.advanceToAlarmIn(hold);
        return result(reply);
    }

    /** A call whose work has told how far it is. */
    public static MemoryReply halfWay(Served.Handshake client) {
        var reply = client.send("tools/call", Served.and(WORK, "\"_meta\":{\"progressToken\":1}"));
        assertThat(reply.nextMessage()).contains("half");
        return reply;
    }

    /** The answer to such a call when its time is over. */
    public JsonNode afterHalfWay(Served.Handshake client) throws InterruptedException {
        var reply = halfWay(client);
        time.awaitAlarmIn(HEARTBEAT);
        time.advance(HOLD);
        return result(reply);
    }

    public static JsonNode result(MemoryReply reply) {
        return Served.json(reply.response()).path("result");
    }

    /** The task that an answer names. */
    public static String named(JsonNode result) {
        var words = text(result).split("\"task\":\"");
        assertThat(words.length).as(text(result)).isGreaterThan(1);
        return words[1].substring(0, words[1].indexOf('"'));
    }

    public static MemoryReply go(Served.Handshake client, String tool, String task) {
        return client.send("tools/call", Served.call(tool, "{\"task\":\"" + task + "\"}"));
    }

    public static String list(Served.Handshake client) {
        return text(client.ask("tools/call", Served.call("task_list", "{}")).path("result"));
    }

    public static String givenUp(int id, String reason) {
        return Served.notification(
                "notifications/cancelled", "{\"requestId\":" + id + ",\"reason\":\"" + reason + "\"}");
    }
}

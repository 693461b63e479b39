// SPDX-License-Identifier: Apache-2.0
package io.longhaul.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.SystemTime;
import io.longhaul.engine.TaskTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.testkit.talk.HttpWire;
import io.longhaul.testkit.talk.Messages;
import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.Talk;
import io.longhaul.testkit.talk.WebRequests;
import io.longhaul.transport.http.Http;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The way of a call from the bytes of its connection to its handler, or to the engine, is short enough to be read. */
class CallPathsTest {

    private static final int MOST = 10;

    private static final int MOST_METHODS = 8;
    private static final String ENGINE = "io.longhaul.engine.durable.DurableEngine";
    private static final Set<String> RECEIVERS =
            Set.of("io.longhaul.receiver.admit.Receiver", "io.longhaul.receiver.admit.Requests");

    private final List<String> classes = Collections.synchronizedList(new ArrayList<>());
    private final List<String> methods = Collections.synchronizedList(new ArrayList<>());
    private final SystemTime time = new SystemTime();
    private final Http http = Http.onPort(0);
    private final McpServer server = McpServer.builder("paths", "1")
            .tool(Tool.define("where").description("Says where it is.").handler((none, call) -> note()))
            .tool(Tool.define("long").description("Runs.").longRunning().handler((none, task) -> "ran"))
            .time(new TaskTime() {
                @Override
                public Instant now() {
                    noteCreation();
                    return time.now();
                }

                @Override
                public Alarm at(Instant when, Runnable action) {
                    return time.at(when, action);
                }
            })
            .store(new MemoryTaskStore())
            .serve(http);

    @AfterEach
    void stop() {
        server.close();
        time.close();
    }

    @Test
    void a_call_in_a_session_goes_through_ten_classes_each_once() {
        var session = new Talk(new HttpWire(WebRequests.to(http.url())))
                .open(Generation.V2025_11_25.version(), "{'elicitation':{}}");
        assertThat(session.ask("tools/call", Messages.call("where", "{}")).has("result"))
                .isTrue();
        assertThatPathIsShort();
    }

    @Test
    void a_call_that_stands_alone_goes_through_ten_classes_each_once() {
        assertThat(StatelessClient.to(http.url(), "{}").call("where", "{}").status())
                .isEqualTo(200);
        assertThatPathIsShort();
    }

    @Test
    void a_creation_goes_through_eight_methods_each_once() {
        var client = StatelessClient.to(http.url(), StatelessClient.TASKS);
        assertThat(client.call("long", "{}").status()).isEqualTo(200);
        assertThat(methods)
                .startsWith("Requests.run")
                .hasSizeLessThanOrEqualTo(MOST_METHODS)
                .doesNotHaveDuplicates();
    }

    /** Notes the methods between the receiver and the engine, where the engine creates a task. */
    private void noteCreation() {
        var frames = StackWalker.getInstance().walk(all -> all.toList());
        int last = -1;
        int first = -1;
        for (int i = 0; i < frames.size(); i++) {
            var frame = frames.get(i);
            if (last < 0
                    && frame.getClassName().equals(ENGINE)
                    && frame.getMethodName().equals("create")) {
                last = i;
            } else if (last >= 0 && RECEIVERS.contains(frame.getClassName())) {
                first = i;
            }
        }
        if (first > 0 && methods.isEmpty()) {
            frames.subList(last + 1, first + 1).reversed().stream()
                    .filter(frame -> !frame.getMethodName().startsWith("lambda$"))
                    .map(frame -> frame.getClassName().replaceFirst(".*\\.", "") + "." + frame.getMethodName())
                    .forEach(methods::add);
        }
    }

    private void assertThatPathIsShort() {
        assertThat(classes)
                .startsWith("io.longhaul.transport.http.HttpConnection")
                .hasSizeLessThanOrEqualTo(MOST)
                .doesNotHaveDuplicates();
    }

    /** Notes the classes of ours on the way to this handler, each as often as the way enters it. */
    private String note() {
        var here = getClass().getName();
        StackWalker.getInstance().forEach(frame -> {
            var entered = frame.getClassName().replaceFirst("\\$.*", "");
            if (entered.startsWith("io.longhaul.")
                    && !entered.equals(here)
                    && (classes.isEmpty() || !classes.getFirst().equals(entered))) {
                classes.addFirst(entered);
            }
        });
        return "here";
    }
}

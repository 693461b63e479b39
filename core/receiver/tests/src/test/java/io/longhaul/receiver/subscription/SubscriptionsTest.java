// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.subscription;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.receiver.stream.StreamParts;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.testkit.talk.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** What a subscription of 2026-07-28 to tasks hears. */
class SubscriptionsTest extends StreamParts {

    @Test
    void a_subscription_hears_each_change_once_and_no_log_line() throws Exception {
        var logged = new Semaphore(0);
        var tool = Tool.define("logs").longRunning().handler((none, task) -> {
            steps.acquire();
            for (int line = 0; line < 1_000; line++) {
                task.log("info", "line " + line);
            }
            task.progress(1, 2, "half");
            logged.release();
            steps.acquire();
            return "done";
        });
        try (var served = Served.with(tool)) {
            var client = served.stateless(Served.TASKS);
            String task = client.ask("tools/call", Served.call("logs", "{}"))
                    .path("result")
                    .path("taskId")
                    .asString();
            var listening = subscribe(client, task);
            listening.nextContaining("\"working\"");
            steps.release();
            logged.acquire();
            listening.nextContaining("half");
            steps.release();
            listening.nextContaining("\"completed\"");
            listening.leave();
            assertThat(listening.isQuiet()).isTrue();
        }
    }

    @Test
    void a_subscription_hears_that_a_task_has_output_with_the_first_piece_alone() {
        var tool = Tool.define("emits").longRunning().handler((none, task) -> {
            steps.acquire();
            task.partial("first");
            steps.acquire();
            for (int piece = 0; piece < 200; piece++) {
                task.partial("piece " + piece);
            }
            task.status("all told");
            steps.acquire();
            return "done";
        });
        try (var served = Served.with(tool)) {
            var client = served.stateless(Served.TASKS);
            String task = client.ask("tools/call", Served.call("emits", "{}"))
                    .path("result")
                    .path("taskId")
                    .asString();
            var listening = subscribe(client, task);
            assertThat(listening.nextContaining("\"working\"").data()).doesNotContain("io.longhaul/output");
            steps.release();
            listening.nextContaining("io.longhaul/output");
            steps.release();
            assertThat(listening.nextMessage()).contains("all told");
            steps.release();
            listening.nextContaining("\"completed\"");
        }
    }

    @Test
    void a_subscription_is_not_told_again_how_a_task_stands_when_another_one_begins() {
        try (var served = served(walks())) {
            var client = served.stateless(Served.TASKS);
            var tasks = new ArrayList<String>();
            for (int task = 0; task < 2; task++) {
                tasks.add(client.ask("tools/call", Served.call("walks", "{}"))
                        .path("result")
                        .path("taskId")
                        .asString());
            }
            var both = subscribe(client, tasks.get(0) + "\",\"" + tasks.get(1));
            both.nextContaining("\"working\"");
            both.nextContaining("\"working\"");
            subscribe(client, tasks.get(0)).nextContaining("\"working\"");
            client.ask("tasks/cancel", taskId(tasks.get(1)));
            assertThat(both.nextMessage()).contains("\"cancelled\"");
        }
    }

    @Test
    void a_subscription_of_a_client_that_takes_no_stream_is_refused() {
        try (var served = served(walks())) {
            var client = served.stateless(Served.TASKS);
            var refused =
                    client.send("subscriptions/listen", "{\"notifications\":{}}", Map.of("Accept", "application/json"));
            var error = Served.json(refused.response()).path("error");
            assertThat(error.path("code").asInt()).isEqualTo(-32602);
            assertThat(error.path("message").asString()).contains("Accept: application/json, text/event-stream");
        }
    }

    @Test
    void a_subscription_hears_of_the_first_hundred_tasks_that_it_names_and_acknowledges_no_others() {
        try (var served = served(walks())) {
            var client = served.stateless(Served.TASKS);
            String last = client.ask("tools/call", Served.call("walks", "{}"))
                    .at("/result/taskId")
                    .asString();
            String beyond = client.ask("tools/call", Served.call("walks", "{}"))
                    .at("/result/taskId")
                    .asString();
            var named = new ArrayList<String>();
            for (int unknown = 1; unknown < 100; unknown++) {
                named.addAll(List.of("unknown-" + unknown, "unknown-1"));
            }
            named.addAll(List.of(last, beyond));
            var acknowledged =
                    Served.json(subscribe(client, String.join("\",\"", named)).nextMessage());
            assertThat(acknowledged.at("/params/notifications/taskIds").toString())
                    .isEqualTo("[\"" + last + "\"]");
        }
    }

    @Test
    void a_subscription_that_the_server_ends_is_cancelled_on_a_pipe_and_then_answered() {
        try (var served = served(walks());
                var client = served.connect()) {
            var params = Messages.alone("{\"notifications\":{\"toolsListChanged\":true}}", "{}");
            client.send(Served.request(7, "subscriptions/listen", params));
            assertThat(client.next()).contains("notifications/subscriptions/acknowledged");
            served.close();
            assertThat(Served.json(client.next()))
                    .isEqualTo(Served.json(Served.notification(
                            "notifications/cancelled",
                            "{\"requestId\":7,\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":7}}")));
            assertThat(Served.json(client.next()).at("/result/resultType").asString())
                    .isEqualTo("complete");
        }
    }

    private static MemoryReply subscribe(Served.Stateless client, String tasks) {
        return client.send("subscriptions/listen", "{\"notifications\":{\"taskIds\":[\"" + tasks + "\"]}}");
    }
}

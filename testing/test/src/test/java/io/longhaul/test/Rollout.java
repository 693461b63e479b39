// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.ElicitResult;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Tools as somebody might write them. */
final class Rollout {

    /** What is to be rolled out. */
    record Order(String version) {}

    /** What a person says to it. */
    record Approval(boolean approved) {}

    /** No wait of the server is as long: a session may idle for an hour. */
    static final Duration STAGE = Duration.ofMinutes(90);

    private final TestClock clock;

    Rollout(TestClock clock) {
        this.clock = clock;
    }

    List<Tool> tools() {
        return List.of(rollout(), gate(), alike(), signed(), staged(), broken(), quick(), single());
    }

    /** Asks before it releases. */
    private static Tool rollout() {
        return Tool.define("rollout")
                .input(Order.class)
                .longRunning(task -> task.onCrash(CrashPolicy.RESTART).timeout(Duration.ofHours(8)))
                .handler((order, task) -> {
                    task.progress(1, 2, "built");
                    var built = task.step("build", String.class, () -> order.version() + "-" + task.attempt());
                    var answer = task.elicit("Release " + order.version() + "?", Approval.class);
                    if (!answer.accepted() || !answer.content().approved()) {
                        throw new ToolException("nobody wants " + order.version());
                    }
                    return built + " is released";
                });
    }

    /** Asks two people, by keys. */
    private static Tool gate() {
        return Tool.define("gate").longRunning().handler((none, task) -> {
            var answers = task.elicitAll(List.of(
                    ElicitRequest.of("test", "Is it tested?", Approval.class),
                    ElicitRequest.of("release", "Shall it go out?", Approval.class)));
            return answers.stream().map(ElicitResult::action).toList().toString();
        });
    }

    /** Asks what cannot be told apart by a part of its words, or at all. */
    private static Tool alike() {
        return Tool.define("alike").longRunning().handler((none, task) -> {
            var answers = task.elicitAll(List.of(
                    ElicitRequest.of("b", "Publish", Approval.class),
                    ElicitRequest.of("report", "Publish the report?", Approval.class),
                    ElicitRequest.of("first", "Are you sure?", Approval.class),
                    ElicitRequest.of("second", "Are you sure?", Approval.class)));
            return answers.stream().map(ElicitResult::action).toList().toString();
        });
    }

    /** Asks before there is a task, where the generation of the client has rounds. */
    private static Tool signed() {
        return Tool.define("signed")
                .longRunning(task -> task.elicitFirst("approval", "Who signs?", Approval.class))
                .handler((none, task) ->
                        task.elicitedFirst("approval", Approval.class).action() + " by the first");
    }

    /** Takes as long as {@link #STAGE}, by the clock. */
    private Tool staged() {
        return Tool.define("staged").longRunning().handler((none, task) -> {
            task.partial("first half");
            clock.sleep(STAGE);
            task.status("second half");
            task.partial("second half");
            return Map.of("at", clock.instant().toString());
        });
    }

    private static Tool broken() {
        return Tool.define("broken").longRunning().handler((none, task) -> {
            task.log("warning", "the disk is old");
            throw new ToolException("the disk is full");
        });
    }

    private static Tool quick() {
        return Tool.define("quick").handler((none, call) -> "at once");
    }

    /** One at a time, for a minute at most. */
    private Tool single() {
        return Tool.define("single")
                .longRunning(task -> task.concurrency(1).timeout(Duration.ofMinutes(1)))
                .handler((none, task) -> {
                    clock.sleep(Duration.ofDays(1));
                    return "never";
                });
    }
}

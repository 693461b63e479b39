// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.McpException;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The tools of one server, and the gate that those wait at which are slow. */
final class Works implements Steering {

    /** The reason that a fragile tool gives whose server was killed. */
    static final String INTERRUPTED =
            "The server stopped while the work ran. It was not run again, and may be half done.";

    /** Tools whose next part is waited for; those of others are given as far as they are there. */
    static final Set<String> WAITING = Set.of("asks", "publishes", "single");

    /** Tools that wait at the gate. */
    static final Set<String> GATED = Set.of("report", "fragile", "single", "pages");

    /** How long a report is kept where its caller does not say. */
    static final Duration KEPT = Duration.ofHours(2);

    record Name(String name) {}

    private final Semaphore begun = new Semaphore(0);
    private final Semaphore gate = new Semaphore(0);
    private final Runnable whenBegun;

    Works() {
        this(() -> {});
    }

    /** @param whenBegun runs when a slow tool has begun */
    Works(Runnable whenBegun) {
        this.whenBegun = whenBegun;
    }

    List<Tool> tools() {
        return List.of(
                Tool.define("report")
                        .description("Tells half of its way, and waits at the gate")
                        .longRunning(options -> options.onCrash(CrashPolicy.RESTART)
                                .keepFor(KEPT)
                                .resumeWait(Duration.ZERO))
                        .handler((none, task) -> waits(task)),
                Tool.define("fragile")
                        .description("As report, and not to be run twice")
                        .longRunning(
                                options -> options.onCrash(CrashPolicy.FAIL).resumeWait(Duration.ZERO))
                        .handler((none, task) -> waits(task)),
                Tool.define("single")
                        .description("As report, one at a time")
                        .longRunning(options -> options.concurrency(1))
                        .handler((none, task) -> waits(task)),
                Tool.define("fails").longRunning().handler((none, task) -> {
                    throw new ToolException("it did not work");
                }),
                Tool.define("breaks").longRunning().handler((none, task) -> {
                    throw new McpException(-32000, "out of paper");
                }),
                Tool.define("asks").longRunning().handler((none, task) -> {
                    var answer = task.elicit("Who?", Name.class);
                    return answer.accepted() ? "It is " + answer.content().name() : "Nobody said";
                }),
                Tool.define("publishes").longRunning().handler((none, task) -> {
                    task.approve("Publish?");
                    return "published";
                }),
                Tool.define("pages").longRunning().handler((none, task) -> {
                    task.partial("page 1");
                    waits(task);
                    task.partial("page 2");
                    gate.acquire();
                    return "done";
                }));
    }

    private String waits(TaskContext task) throws Exception {
        task.progress(1, 2, "half");
        begun.release();
        whenBegun.run();
        gate.acquire();
        return "done";
    }

    @Override
    public void awaitBegun() throws InterruptedException {
        if (!begun.tryAcquire(20, TimeUnit.SECONDS)) {
            throw new AssertionError("nothing has begun for 20 s");
        }
    }

    @Override
    public int begunBeside() {
        return begun.availablePermits();
    }

    @Override
    public void letOneThrough() {
        gate.release();
    }

    @Override
    public void openGate() {
        gate.release(100);
    }

    /** Closes the gate again. */
    void closeGate() {
        gate.drainPermits();
    }
}

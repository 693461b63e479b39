// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.children;

import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;

import io.longhaul.engine.TestEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Task;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** What tests of children say often. */
public final class ChildCalls {

    public static final Duration DAY = Duration.ofDays(1);
    public static final Backend ECHO = run -> result(run.spec().request().text());

    public static Supplier<Run.Call> call(String work, String request) {
        return () -> new Run.Call(work, text(request), text("origin"), DAY);
    }

    /** Work that ends as the child that it calls. */
    public static Backend calling(String work) {
        return run -> outcome(run.call("c", call(work, "hello")).await());
    }

    public static List<Task> children(TestEngine site, Task parent) {
        return site.engine.list(TaskFilter.ALL.childrenOf(parent), null, 2_000).tasks();
    }

    public static Task child(TestEngine site, Task parent) {
        return children(site, parent).getFirst();
    }

    public static Task awaitChild(TestEngine site, Task parent) throws InterruptedException {
        site.await(parent, now -> now.position().lastEvent() > 2);
        return child(site, parent);
    }

    public static String request(Task child) {
        return child.spec().request().text();
    }

    private ChildCalls() {}
}

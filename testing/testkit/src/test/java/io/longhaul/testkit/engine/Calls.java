// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.engine;

import static io.longhaul.testkit.engine.Site.outcome;
import static io.longhaul.testkit.engine.Site.result;
import static io.longhaul.testkit.engine.Site.text;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskFilter;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** What tests of children say often. */
final class Calls {

    static final Duration DAY = Duration.ofDays(1);
    static final Backend ECHO = run -> result(run.spec().request().text());

    static Supplier<Run.Call> call(String work, String request) {
        return () -> new Run.Call(work, text(request), text("origin"), DAY);
    }

    /** Work that ends as the child that it calls. */
    static Backend calling(String work) {
        return run -> outcome(run.call("c", call(work, "hello")).await());
    }

    static List<Task> children(Site site, Task parent) {
        return site.engine.list(TaskFilter.ALL.childrenOf(parent), null, 2_000).tasks();
    }

    static Task child(Site site, Task parent) {
        return children(site, parent).getFirst();
    }

    static Task awaitChild(Site site, Task parent) throws InterruptedException {
        site.await(parent, now -> now.stamp().lastEvent() > 2);
        return child(site, parent);
    }

    static String request(Task child) {
        return child.spec().request().text();
    }

    private Calls() {}
}

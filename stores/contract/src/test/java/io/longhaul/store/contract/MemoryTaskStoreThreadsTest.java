// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.id;

import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.testkit.ThreadsContract;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** The tasks in memory, whatever threads create, start, end, claim and remove them. */
@Param(name = "task", gen = IntGen.class, conf = "1:2")
public class MemoryTaskStoreThreadsTest extends ThreadsContract {

    private final MemoryTaskStore store = new MemoryTaskStore();
    private final Lease lease = store.join("a", NOW);

    public MemoryTaskStoreThreadsTest() {
        create(1);
    }

    /** Both tasks want the same key. */
    private static Task task(int number) {
        var plain = TaskFixtures.task(number).spec();
        var key = new CreationKey("key", "digest");
        return TaskFixtures.task(
                number, new TaskSpec(plain.owner(), plain.work(), plain.request(), plain.source(), key, NOW));
    }

    @Operation
    public String create(@Param(name = "task") int number) {
        return name(store.commit(TaskFixtures.creation(task(number))));
    }

    @Operation
    public String start(@Param(name = "task") int number) {
        return name(store.commit(TaskFixtures.start(task(number), lease)));
    }

    @Operation
    public String end(@Param(name = "task") int number) {
        return name(store.commit(TaskFixtures.end(task(number), TaskFixtures.result("x"), NOW, true)));
    }

    @Operation
    public boolean remove(@Param(name = "task") int number) {
        return store.remove(id(number));
    }

    @Operation
    public String find(@Param(name = "task") int number) {
        return store.find(id(number)).map(task -> task.state().name()).orElse("none");
    }

    @Operation
    public long join() {
        return store.join("b", NOW).epoch();
    }

    @Operation
    public int claim() {
        return store.claim(lease, 10, NOW).size();
    }

    private static String name(CommitResult result) {
        return result.getClass().getSimpleName();
    }
}

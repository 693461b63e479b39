package io.longhaul.testkit.simulation;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.testkit.MemoryTaskStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The disk: what is really written is checked here, whether its writer learns of it or not. */
record WatchedStore(EngineWorld world, MemoryTaskStore real) implements InvocationHandler {

    static TaskStore of(EngineWorld world, MemoryTaskStore real) {
        return (TaskStore) Proxy.newProxyInstance(
                TaskStore.class.getClassLoader(), new Class<?>[] {TaskStore.class}, new WatchedStore(world, real));
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
        try {
            var given = method.invoke(real, arguments);
            switch (method.getName()) {
                case "commit" -> committed((Change) arguments[0], (CommitResult) given);
                case "claim" -> claimed((List<?>) given);
                case "remove" -> removed((TaskId) arguments[0], (Boolean) given);
                case "sweep" -> swept((Instant) arguments[0]);
                default -> {
                    // writes no task
                }
            }
            return given;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void committed(Change change, CommitResult result) {
        if (result instanceof CommitResult.Committed) {
            var task = world.known(change.after().id());
            task.committed(change);
            var fence = change.fence();
            var lease = change.after().tenure().lease();
            task.require(fence == null || fence.equals(world.holder), "is written by a node without a lease");
            task.require(
                    change.before() != null || lease == null || lease.equals(world.holder),
                    "is created for a node without a lease");
        }
    }

    private void claimed(List<?> tasks) {
        for (var claimed : tasks) {
            var task = (Task) claimed;
            world.known(task.id()).claimed(task);
        }
    }

    private void removed(TaskId id, boolean was) {
        if (was) {
            var task = world.known(id);
            task.require(task.isDeletionTried || task.isExpired(world.latest()), "is removed too early");
            task.isRemoved = true;
        }
    }

    private void swept(Instant now) {
        world.require(!now.isAfter(world.latest()), "a node sweeps as if it were %s", now);
        for (var task : world.stored()) {
            if (real.find(task.id).isEmpty()) {
                task.require(task.isExpired(now), "is swept too early");
                task.isRemoved = true;
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.store.SharedTasks.Renewal;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.TaskId;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The store as one node sees it: other threads may go first with each call, and the world learns what failed. */
record NodeStore(EngineNode node, Object real) implements InvocationHandler {

    static TaskStore of(EngineNode node) {
        return seen(node, TaskStore.class, node.world.faults);
    }

    private static <T> T seen(EngineNode node, Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(
                TaskStore.class.getClassLoader(), new Class<?>[] {type}, new NodeStore(node, real)));
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        node.world.scheduler.pause();
        try {
            var given = method.invoke(real, arguments);
            if (given instanceof Lease lease) {
                node.joined(lease);
            } else if (given instanceof Renewal renewal) {
                node.renewed(renewal.standing());
            }
            return given instanceof Optional<?> some && some.orElse(null) instanceof SharedTasks shared
                    ? Optional.of(seen(node, SharedTasks.class, shared))
                    : given;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof StoreException && arguments != null) {
                if (method.getName().equals("claim")) {
                    claimInDoubt();
                }
                for (var argument : arguments) {
                    troubled(argument);
                }
            }
            throw e.getCause();
        }
    }

    /** The node looks for what the store may have given it at its next beat. */
    private void claimInDoubt() {
        var now = node.world.time.now();
        node.world.stored().stream()
                .filter(node::holds)
                .filter(KnownTask::isNews)
                .forEach(task -> task.troubled(now));
    }

    private void troubled(@Nullable Object argument) {
        var now = node.world.time.now();
        switch (argument) {
            case TaskId task -> node.world.known(task).troubled(now);
            case Change change -> node.world.known(change.after().id()).troubled(now);
            case Route route ->
                node.world.stored().stream()
                        .filter(task -> Route.ofChildren(task.id, null).group().equals(route.group()))
                        .forEach(task -> task.troubled(now));
            case null, default -> {
                // says nothing of any one task
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClosingTest {
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicBoolean closed = new AtomicBoolean();

    @Test
    void a_server_that_is_closed_twice_at_once_has_its_store_closed_when_either_returns() throws Exception {
        var server = Served.on(slowToClose()).server();
        var first = Thread.ofVirtual().start(server::close);
        closing.await();
        var seen = new AtomicBoolean();
        var second = Thread.ofPlatform().start(() -> {
            server.close();
            seen.set(closed.get());
        });
        while (second.isAlive() && second.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        gate.countDown();
        first.join();
        second.join();
        assertThat(seen).isTrue();
    }

    private TaskStore slowToClose() {
        var type = TaskStore.class;
        var real = new MemoryTaskStore();
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closing.countDown();
                        gate.await();
                        closed.set(true);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}

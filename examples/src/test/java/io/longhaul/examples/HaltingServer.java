// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import io.longhaul.engine.history.EventDetail.StepDone;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.server.ServerMonitor;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The server of an example in a process of its own, which tells each step that it has recorded. At one of them it
 * halts, before or after the record, so that whoever started it can kill it there: {@code NAME PORT STEP WHEN}.
 */
final class HaltingServer {

    static final String AT = "at ";
    static final String STEP = "step";
    static final String HALTS = "halts";

    private HaltingServer() {}

    /** Where in a step the server halts. */
    enum When {
        BEFORE,
        AFTER
    }

    public static void main(String[] args) throws InterruptedException {
        var http = Http.onPort(Integer.parseInt(args[1]));
        var halt = new Halt(Integer.parseInt(args[2]), When.valueOf(args[3]));
        try (var server = ExampleServer.described(args[0], Path.of(""))
                .orElseThrow()
                .monitor(halt)
                .serve(http)) {
            System.out.println(AT + http.url());
            server.awaitEnd();
        }
    }

    private record Halt(int step, When when, AtomicInteger steps) implements ServerMonitor {

        Halt(int step, When when) {
            this(step, when, new AtomicInteger());
        }

        @Override
        public TaskStore around(TaskStore store) {
            return new ForwardingStore(store) {
                @Override
                public CommitResult commit(Change change) {
                    if (change.events().stream().noneMatch(event -> event.what() instanceof StepDone)) {
                        return super.commit(change);
                    }
                    boolean isLast = steps.incrementAndGet() == step;
                    haltIf(isLast && when == When.BEFORE);
                    var done = super.commit(change);
                    System.out.println(STEP);
                    haltIf(isLast);
                    return done;
                }
            };
        }

        private static void haltIf(boolean isDue) {
            if (isDue) {
                System.out.println(HALTS);
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }
}

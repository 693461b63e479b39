// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Measurement;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Scratch;
import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Measures the memory of the server for each of many waiting things. */
record Memory(Held held, int count) implements Scenario {

    private static final int MAKERS = 16;

    /** The kinds of waiting things. */
    enum Held {
        ON_ANSWER("%,d tasks that wait for an answer", "ask"),
        SUSPENDED("%,d suspended tasks that wait for an answer", "ask_later"),
        ON_LATCH("%,d tasks that wait on a latch", "endless"),
        SESSION("%,d sessions", "");

        private final String title;
        private final String tool;

        Held(String title, String tool) {
            this.title = title;
            this.tool = tool;
        }
    }

    /**
     * The figures that a server reports.
     *
     * @param bytes   of used heap, after a collection
     * @param threads of the platform
     * @param waiting the tasks whose handlers wait, or have been suspended
     */
    record Heap(long bytes, int threads, int waiting) {

        static Heap of(ChildProcess server) throws IOException {
            var words = server.ask("heap").split(" ");
            return new Heap(Long.parseLong(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        }
    }

    @Override
    public String title() {
        return String.format(Locale.ROOT, held.title, count);
    }

    @Override
    public List<Measurement> measure() throws Exception {
        try (var scratch = Scratch.make();
                var server = MeasuredStart.tools(scratch.file(MeasuredStart.TASKS))) {
            var address = server.address();
            // The first ones load classes, whose memory must not count for the others.
            make(address, MAKERS);
            var before = Heap.of(server);
            make(address, count);
            var after = Heap.of(server);
            while (held != Held.SESSION && after.waiting() < MAKERS + count) {
                after = Heap.of(server);
            }
            return List.of(Measurement.of(Figure.HEAP, (double) (after.bytes() - before.bytes()) / count)
                    .and(Figure.THREADS, after.threads()));
        }
    }

    private void make(URI address, int many) throws Exception {
        var left = new AtomicInteger(many);
        Callable<Void> maker = () -> {
            try (var link = new HttpLink(address)) {
                link.initialize();
                while (left.getAndDecrement() > 0) {
                    make(link);
                }
            }
            return null;
        };
        try (var makers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> one : makers.invokeAll(Collections.nCopies(MAKERS, maker))) {
                one.get();
            }
        }
    }

    private void make(HttpLink link) throws IOException {
        if (held == Held.SESSION) {
            link.initialize();
        } else {
            link.create(held.tool);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.run.Latencies;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends requests of one workload on a number of connections, in a closed loop, from one thread. For each input line
 * with a number of milliseconds, it sends for that long, and prints its counts.
 */
public final class LoadGenerator {

    private static final long DAY = Duration.ofDays(1).toNanos();

    private final Selector selector = Selector.open();
    private final ByteBuffer arrived = ByteBuffer.allocateDirect(1 << 16);
    private final List<Caller> callers = new ArrayList<>();
    private Latencies latencies = new Latencies();
    private int busy;
    private long end;

    private LoadGenerator(Workload workload, URI server, int connections) throws IOException {
        for (var i = 0; i < connections; i++) {
            var caller = new Caller(workload, server);
            caller.prepare(i == 0);
            caller.register(selector);
            callers.add(caller);
        }
    }

    /** @param args the workload, the address of the server, the number of connections */
    public static void main(String[] args) throws IOException {
        var generator = new LoadGenerator(Workload.valueOf(args[0]), URI.create(args[1]), Integer.parseInt(args[2]));
        System.out.println("ready");
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(generator.run(Duration.ofMillis(Long.parseLong(line))));
        }
    }

    /** Gives the count, the duration in nanoseconds, and the 50th and 99th percentile in microseconds. */
    private String run(Duration duration) throws IOException {
        var start = System.nanoTime();
        latencies = new Latencies();
        end = start + Math.min(duration.toNanos(), DAY);
        for (var caller : callers) {
            caller.begin();
            busy++;
        }
        while (busy > 0) {
            selector.select(this::take);
        }
        var took = System.nanoTime() - start;
        return latencies.count() + " " + took + " " + latencies.micros(0.5) + " " + latencies.micros(0.99);
    }

    private void take(SelectionKey key) {
        try {
            var caller = (Caller) key.attachment();
            var took = caller.answered(arrived);
            if (took >= 0) {
                latencies.add(took);
                if (System.nanoTime() - end < 0) {
                    caller.begin();
                } else {
                    busy--;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

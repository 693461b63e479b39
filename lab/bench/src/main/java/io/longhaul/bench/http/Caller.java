// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;

/** One connection of the load generator, which sends each request after the previous answer. For one thread. */
final class Caller {

    private static final int LISTED = 50;

    private final Workload workload;
    private final HttpLink link;
    private final RequestBytes[] requests;
    private final byte[][] expected;
    private String task = "";
    private int step;
    private long begun;

    Caller(Workload workload, URI server) throws IOException {
        this.workload = workload;
        link = new HttpLink(server);
        requests = new RequestBytes[workload.steps().size()];
        expected = workload.steps().stream()
                .map(one -> one.expected().getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
    }

    /** Opens a session, and makes the tasks that the workload needs. */
    void prepare(boolean first) throws IOException {
        if (workload != Workload.BARE) {
            link.initialize();
            makeTasks(first);
        }
        write(0);
    }

    private void makeTasks(boolean first) throws IOException {
        switch (workload.made()) {
            case NONE -> {}
            case LIVE -> task = link.create("endless");
            case FINISHED -> task = link.finish();
            case FIFTY -> {
                for (var made = 0; first && made < LISTED; made++) {
                    link.finish();
                }
            }
        }
    }

    private void write(int from) {
        for (var i = from; i < requests.length; i++) {
            requests[i] = link.bytes(workload.era(), workload.steps().get(i), task);
        }
    }

    /** Tells the selector to run {@link #answered} whenever something arrives. */
    void register(Selector selector) throws IOException {
        link.register(selector, this);
    }

    void begin() throws IOException {
        step = 0;
        begun = System.nanoTime();
        link.send(requests[0]);
    }

    /**
     * Takes the bytes that have arrived, and goes on to the next step.
     *
     * @return the duration of the workload in nanoseconds where it ended here; else -1
     */
    long answered(ByteBuffer arrived) throws IOException {
        if (!link.read(arrived)) {
            return -1;
        }
        link.check(expected[step]);
        if (workload.steps().get(step).creates() && step + 1 < requests.length) {
            task = link.response().between("\"taskId\":\"", "\"");
            write(step + 1);
        }
        step++;
        if (step == requests.length) {
            return System.nanoTime() - begun;
        }
        link.send(requests[step]);
        return -1;
    }
}

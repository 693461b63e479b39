// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import io.longhaul.server.ToolException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keeps the replicas of one service at a version, and replaces one at a time. Thread-safe. */
final class Service implements AutoCloseable {

    private final @Nullable Replica[] replicas;
    private final Duration settling;
    private final Thread controller = Thread.ofVirtual().unstarted(this::control);
    private String wanted = "";

    Service(int replicas, Duration settling) {
        this.replicas = new Replica[replicas];
        this.settling = settling;
    }

    synchronized void run(String version) {
        wanted = version;
        if (controller.getState() == Thread.State.NEW) {
            controller.start();
        }
        notifyAll();
    }

    synchronized void await(int ready, String version) throws InterruptedException {
        while (running(version) < ready) {
            if (!wanted.equals(version)) {
                throw new ToolException("Another rollout has begun, of version " + wanted + ".");
            }
            wait();
        }
    }

    private long running(String version) {
        return Arrays.stream(replicas).filter(replica -> runs(replica, version)).count();
    }

    private static boolean runs(@Nullable Replica replica, String version) {
        return replica != null && replica.version().equals(version);
    }

    private void control() {
        try {
            while (true) {
                int next = awaitOutdated();
                replace(next);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            System.err.println("No replica can be started: " + e.getMessage());
        }
    }

    private synchronized int awaitOutdated() throws InterruptedException {
        while (running(wanted) == replicas.length) {
            wait();
        }
        int next = 0;
        while (runs(replicas[next], wanted)) {
            next++;
        }
        return next;
    }

    /** A replica counts when it still answers after a while. Another one is tried in place of one that does not. */
    private void replace(int place) throws IOException, InterruptedException {
        var replica = new Replica(stopped(place));
        boolean isReady = false;
        try {
            Thread.sleep(settling);
            isReady = replica.answers();
        } finally {
            if (!isReady) {
                replica.close();
            }
        }
        if (isReady) {
            started(place, replica);
        }
    }

    /** Stops a replica, and gives the version that takes its place. */
    private synchronized String stopped(int place) {
        var old = replicas[place];
        if (old != null) {
            old.close();
            replicas[place] = null;
        }
        return wanted;
    }

    private synchronized void started(int place, Replica replica) {
        replicas[place] = replica;
        notifyAll();
    }

    @Override
    public void close() {
        controller.interrupt();
        synchronized (this) {
            Arrays.stream(replicas).filter(Objects::nonNull).forEach(Replica::close);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Stands for a cluster: what is wanted is noted at once, and what is so gets there replica by replica. */
final class Cluster {

    private record Service(String version, int ready) {}

    private final int replicas;
    private final Executor later;
    private final Map<String, Service> services = new ConcurrentHashMap<>();

    /** @param pace how long one replica takes */
    Cluster(int replicas, Duration pace) {
        this.replicas = replicas;
        later = CompletableFuture.delayedExecutor(pace.toMillis(), TimeUnit.MILLISECONDS);
    }

    int replicas() {
        return replicas;
    }

    /** Notes what is wanted; what is so already stays. */
    synchronized void want(String service, String version) {
        var now = services.get(service);
        if (now == null || !now.version().equals(version)) {
            services.put(service, new Service(version, 0));
            later.execute(() -> next(service, version));
        }
    }

    private synchronized void next(String service, String version) {
        var now = services.get(service);
        if (now != null && now.version().equals(version) && now.ready() < replicas) {
            services.put(service, new Service(version, now.ready() + 1));
            notifyAll();
            later.execute(() -> next(service, version));
        }
    }

    /** Waits until more replicas than these run what is wanted. */
    synchronized int awaitMoreThan(int known, String service) throws InterruptedException {
        while (true) {
            int ready = services.getOrDefault(service, new Service("", 0)).ready();
            if (ready > known) {
                return ready;
            }
            wait();
        }
    }
}

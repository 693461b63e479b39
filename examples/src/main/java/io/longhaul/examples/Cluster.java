// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Simulates a cluster: the wanted state is noted at once, and the actual state follows replica by replica. */
final class Cluster {

    private record Service(String version, int ready) {}

    private final int replicas;
    private final Executor later;
    private final Map<String, Service> services = new ConcurrentHashMap<>();

    /** @param pace the time for one replica */
    Cluster(int replicas, Duration pace) {
        this.replicas = replicas;
        later = CompletableFuture.delayedExecutor(pace.toMillis(), TimeUnit.MILLISECONDS);
    }

    int replicas() {
        return replicas;
    }

    /** Notes the wanted version; no effect where the service has it already. */
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

    /** Waits until more than {@code known} replicas run the wanted version. */
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

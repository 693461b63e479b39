// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Runs services, each with some replicas. A file in a folder names the version that a service shall run: it is written
 * at once, and the replicas follow it one by one. The replicas end with this process, and the next one starts them
 * again. Thread-safe.
 */
final class Cluster implements AutoCloseable {

    private static final String PART = ".part";

    private final Path folder;
    private final int replicas;
    private final Duration settling;
    private final Map<String, Service> services = new HashMap<>();

    /** @param settling for how long a replica must run before the next one is replaced */
    Cluster(Path folder, int replicas, Duration settling) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.replicas = replicas;
        this.settling = settling;
        try (var files = Files.list(folder)) {
            for (var file : files.filter(it -> !it.toString().endsWith(PART)).toList()) {
                service(file.getFileName().toString()).run(Files.readString(file));
            }
        }
    }

    int replicas() {
        return replicas;
    }

    /** Has a service run a version, and returns the version at once. */
    synchronized String want(String name, String version) throws IOException {
        var part = Files.writeString(folder.resolve(name + PART), version);
        Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        service(name).run(version);
        return version;
    }

    /** Waits until so many replicas of a service run the version. */
    void await(int ready, String name, String version) throws InterruptedException {
        service(name).await(ready, version);
    }

    private synchronized Service service(String name) {
        return services.computeIfAbsent(name, unknown -> new Service(replicas, settling));
    }

    @Override
    public synchronized void close() {
        services.values().forEach(Service::close);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.agent;

import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The agent's own work: the digest of each source of a plan, by which an answer can be traced to its sources. */
final class Sources {

    private final Deque<Path> unread;
    private final Map<String, String> digests = new TreeMap<>();

    Sources(List<Job> plan) throws IOException {
        var files = new TreeSet<Path>();
        for (var job : plan) {
            try (var below = Files.walk(job.source())) {
                below.filter(Files::isRegularFile).forEach(files::add);
            }
        }
        unread = new ArrayDeque<>(files);
    }

    boolean hasMore() {
        return !unread.isEmpty();
    }

    /** Reads one more file, and gives its path. */
    Path readNext() throws IOException {
        var file = unread.remove();
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            digests.put(file.toString(), HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
        return file;
    }

    String digests() {
        var json = JsonTree.object();
        digests.forEach(json::put);
        return json.toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.agent;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A line of a plan.
 *
 * @param name   unique in the plan, and valid as the name of a file
 * @param source the file or the folder of files that the job is about
 */
record Job(String name, Path source, String tool, Json arguments) {

    static List<Job> all(Path plan) throws IOException {
        return Files.readAllLines(plan).stream().map(Job::of).toList();
    }

    private static Job of(String line) {
        var json = JsonTree.read(Json.raw(line));
        return new Job(
                json.path("name").asString(),
                Path.of(json.path("source").asString()),
                json.path("tool").asString(),
                JsonTree.write(json.path("arguments")));
    }
}

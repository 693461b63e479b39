// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs a program in a folder, and ends the program where its task is cancelled. */
final class Command {

    private Command() {}

    record Ended(int code, String output) {}

    static Ended run(Path folder, Map<String, String> environment, List<String> words)
            throws IOException, InterruptedException {
        // A wait for a process can be interrupted, a read of its output cannot: the output goes to a file.
        var output = Files.createTempFile("command", ".log");
        try {
            var builder = new ProcessBuilder(words)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            var process = builder.start();
            try {
                int code = process.waitFor();
                return new Ended(code, Files.readString(output).strip());
            } finally {
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
            }
        } finally {
            Files.delete(output);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.script;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A folder with the helper of a language, in which scripts run. */
record Script(ScriptLanguage language, Path folder) {
    /** How a program has ended, and what it has written. */
    record Ran(int code, String output, String errors) {}

    /** Skips the test where the language is not installed. */
    static Script of(ScriptLanguage language, Path folder) throws IOException {
        var program = program(language);
        var isThere = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
        assumeTrue(isThere, "there is no " + program);
        Files.createDirectories(folder);
        for (var file : language.files().entrySet()) {
            if (file.getKey().startsWith("longhaul.")) {
                Files.writeString(folder.resolve(file.getKey()), file.getValue());
            }
        }
        return new Script(language, folder);
    }

    static String program(ScriptLanguage language) {
        return switch (language) {
            case PYTHON -> "python3";
            case NODE -> "node";
            case SH -> "sh";
        };
    }

    /** The command line of a program that is given as text, after the line that includes the helper. */
    List<String> inline(String python, String node, String sh) {
        return switch (language) {
            case PYTHON -> List.of("python3", "-c", "from longhaul import task\n" + python);
            case NODE -> List.of("node", "--input-type=module", "-e", "import { task } from './longhaul.mjs'\n" + node);
            case SH -> List.of("sh", "-c", ". ./longhaul.sh\n" + sh, "sh");
        };
    }

    Process start(Map<String, String> environment, List<String> line) throws IOException {
        var builder = new ProcessBuilder(line).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("LONGHAUL_"));
        builder.environment().putAll(environment);
        return builder.redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
    }

    Ran run(Map<String, String> environment, List<String> line) throws IOException, InterruptedException {
        return run(environment, line, "");
    }

    Ran run(Map<String, String> environment, List<String> line, String input) throws IOException, InterruptedException {
        var process = start(environment, line);
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // The program has ended without reading.
        }
        return end(process);
    }

    /** Waits for the end of a program; one that a failed test has left is killed. */
    Ran end(Process process) throws IOException, InterruptedException {
        try {
            int code = process.waitFor();
            return new Ran(code, Files.readString(folder.resolve("out")), Files.readString(folder.resolve("err")));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}

package io.longhaul.cli.serve;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Looks for programs as a shell does. */
final class Programs {
    private Programs() {}

    /** Whether a program without a folder in its name is found; one with a folder is looked for when it is run. */
    static boolean isThere(String program) {
        var path = System.getenv("PATH");
        return program.contains("/")
                || path == null
                || Stream.of(path.split(Pattern.quote(File.pathSeparator), -1))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder.isEmpty() ? "." : folder, program)));
    }
}

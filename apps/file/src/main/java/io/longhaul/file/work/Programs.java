// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.work;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Looks for programs as a shell does. */
public final class Programs {
    private Programs() {}

    /** Whether a program would be found if it ran in {@code folder}. */
    public static boolean isThere(String program, Path folder) {
        if (program.contains("/")) {
            return Files.isExecutable(folder.resolve(program));
        }
        var path = System.getenv("PATH");
        return path == null
                || Stream.of(path.split(Pattern.quote(File.pathSeparator), -1))
                        .anyMatch(place -> Files.isExecutable(Path.of(place.isEmpty() ? "." : place, program)));
    }

    /** Whether a word of a command is a file, seen from {@code folder}. */
    public static boolean isFile(String word, Path folder) {
        try {
            return Files.isRegularFile(folder.resolve(word));
        } catch (InvalidPathException e) {
            return false;
        }
    }
}

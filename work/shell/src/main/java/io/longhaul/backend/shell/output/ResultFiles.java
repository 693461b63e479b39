// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.output;

import io.longhaul.engine.secret.SecretMask;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files that a command has left as parts of its result.
 *
 * @param found    their contents by their paths below the folder of the command, with secrets masked in texts
 * @param problems why files that were asked for are left out, in sentences for the caller
 */
public record ResultFiles(Map<String, byte[]> found, List<String> problems) {

    /** The largest file: in Base64, one message has room for it. */
    private static final int LARGEST = 3_000_000;

    private static final int MOST_BYTES = 16 << 20;
    private static final int MOST = 50;
    private static final int LOOKED_AT = 100_000;
    private static final Pattern GLOB = Pattern.compile("[*?\\[\\]{}\\\\]");

    /**
     * Whether a pattern finds files below a folder only.
     *
     * @throws java.util.regex.PatternSyntaxException where it is no glob
     */
    public static boolean isLegal(String pattern) {
        matcher(Path.of(""), pattern);
        var path = Path.of(GLOB.matcher(pattern).replaceAll("x"));
        return !pattern.isBlank() && !path.isAbsolute() && path.normalize().equals(path) && !path.startsWith("..");
    }

    /** Reads the files below {@code folder} that match globs. Links lead to no file, neither do pipes. */
    public static ResultFiles in(Path folder, List<String> patterns, SecretMask masking) throws IOException {
        var files = new ResultFiles(new LinkedHashMap<>(), new ArrayList<>());
        var base = Files.isDirectory(folder) ? folder.toRealPath() : folder;
        for (var pattern : patterns) {
            for (var file : files.matching(base, pattern)) {
                files.add(base, file, masking);
            }
        }
        return files;
    }

    private static PathMatcher matcher(Path base, String pattern) {
        return base.getFileSystem().getPathMatcher("glob:" + pattern);
    }

    private Set<Path> matching(Path base, String pattern) throws IOException {
        if (!GLOB.matcher(pattern).find()) {
            return Set.of(Path.of(pattern));
        }
        var matcher = matcher(base, pattern);
        var matching = new TreeSet<Path>();
        int depth =
                pattern.contains("**") ? Integer.MAX_VALUE : Path.of(pattern).getNameCount();
        FileVisitor<Path> visitor = new SimpleFileVisitor<>() {
            private int looked;

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                var path = base.relativize(file);
                if (!attributes.isDirectory() && matcher.matches(path)) {
                    matching.add(path);
                }
                looked++;
                return looked < LOOKED_AT ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException unreadable) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException unreadable) {
                return FileVisitResult.CONTINUE;
            }
        };
        Files.walkFileTree(base, Set.of(), depth, visitor);
        return matching;
    }

    private void add(Path base, Path path, SecretMask masking) {
        var name = path.toString();
        if (found.containsKey(name)) {
            return;
        }
        try {
            var why = refusal(base, base.resolve(path));
            if (why.isEmpty()) {
                found.put(name, read(base.resolve(path), masking));
            } else {
                leftOut(name, why);
            }
        } catch (IOException e) {
            leftOut(name, "it cannot be read.");
        }
    }

    /** A pattern may match any number of files: only the first that are left out are named. */
    private void leftOut(String name, String why) {
        if (problems.size() < MOST) {
            problems.add("The file " + name + " is left out: " + why);
        } else if (problems.size() == MOST) {
            problems.add("More files are left out.");
        }
    }

    private String refusal(Path base, Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return "the command has not written it.";
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                || !file.toRealPath().startsWith(base)) {
            return "it is a link, or no regular file.";
        }
        long size = Files.size(file);
        if (size > LARGEST) {
            return "it has " + size + " bytes, and a file of a result may have " + LARGEST + ".";
        }
        long all = found.values().stream().mapToLong(bytes -> bytes.length).sum();
        return found.size() >= MOST || all + size > MOST_BYTES
                ? "a result may have " + MOST + " files of " + MOST_BYTES + " bytes in all."
                : "";
    }

    private static byte[] read(Path file, SecretMask masking) throws IOException {
        try (var input = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            var bytes = input.readNBytes(LARGEST);
            return JobOutput.isBinary(bytes) ? bytes : masking.mask(bytes);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.peer;

import io.longhaul.bench.run.Unavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

/**
 * The folder of the peers. Each peer is installed on its first use. A mark file shows that a peer is installed; a peer
 * whose sources are newer than the mark is installed again. For one thread.
 */
record Installation(Path peers) {

    private static final String MARK = "target/peer.installed";

    /**
     * The command that starts a peer.
     *
     * @throws Unavailable where the peer cannot be installed
     */
    List<String> command(Kit kit, String mode) throws IOException, InterruptedException, Unavailable {
        var folder = peers.resolve(kit.folder());
        if (!isInstalled(kit, folder)) {
            install(kit, folder);
        }
        var command = new ArrayList<>(kit.start(folder));
        command.add(mode);
        return command;
    }

    private static boolean isInstalled(Kit kit, Path folder) throws IOException {
        var mark = folder.resolve(MARK);
        if (!Files.exists(mark)) {
            return false;
        }
        var installed = Files.getLastModifiedTime(mark);
        for (var source : kit.sources()) {
            if (newest(folder.resolve(source)).compareTo(installed) > 0) {
                return false;
            }
        }
        return true;
    }

    private static FileTime newest(Path source) throws IOException {
        var newest = Files.getLastModifiedTime(source);
        try (var files = Files.walk(source)) {
            for (var file : files.toList()) {
                var time = Files.getLastModifiedTime(file);
                newest = time.compareTo(newest) > 0 ? time : newest;
            }
        }
        return newest;
    }

    private static void install(Kit kit, Path folder) throws IOException, InterruptedException, Unavailable {
        var begun = FileTime.fromMillis(System.currentTimeMillis());
        var builder =
                new ProcessBuilder(kit.install()).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new Unavailable("it needs " + kit.install().getFirst() + ": " + e.getMessage());
        }
        process.getOutputStream().close();
        var said = process.inputReader().lines().filter(line -> !line.isBlank()).toList();
        if (process.waitFor() != 0) {
            var last = said.isEmpty() ? "it says nothing" : said.getLast();
            throw new Unavailable(String.join(" ", kit.install()) + " fails in " + folder + ": " + last);
        }
        Files.createDirectories(folder.resolve(MARK).getParent());
        Files.writeString(folder.resolve(MARK), "");
        Files.setLastModifiedTime(folder.resolve(MARK), begun);
    }
}

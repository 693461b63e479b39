// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A library before libc that makes the disk and the clock of a program fail: {@code faults.c}, compiled here. */
record Preloaded(Path library, Path folder) {

    /** Compiles the library into a folder; empty where this machine cannot compile it. */
    static Optional<Preloaded> in(Path folder) throws IOException, InterruptedException {
        var source = folder.resolve("faults.c");
        var library = folder.resolve("faults.so");
        try (var resource = Preloaded.class.getResourceAsStream("faults.c")) {
            if (resource == null) {
                throw new IllegalStateException("faults.c is missing in the jar");
            }
            Files.copy(resource, source);
        }
        clock(folder, Duration.ZERO);
        var command = List.of("cc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString(), "-ldl");
        try {
            var compiler = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("cc.log").toFile())
                    .start();
            return compiler.waitFor() == 0 ? Optional.of(new Preloaded(library, folder)) : Optional.empty();
        } catch (IOException noCompiler) {
            return Optional.empty();
        }
    }

    /** Adds the library to the environment of a program. */
    void into(Map<String, String> environment) {
        environment.put("LD_PRELOAD", library.toString());
        environment.put("TORTURE_FAULTS", folder.toString());
    }

    void failSyncs() throws IOException {
        Files.createFile(folder.resolve("fsync"));
    }

    void healSyncs() throws IOException {
        Files.deleteIfExists(folder.resolve("fsync"));
    }

    /** Shifts the wall clock by this time. */
    void clock(Duration off) {
        clock(folder, off);
    }

    private static void clock(Path folder, Duration off) {
        var seconds = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        seconds.putLong(off.toSeconds()).flip();
        try (var file =
                FileChannel.open(folder.resolve("clock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(seconds, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.cold;

import io.longhaul.bench.http.Workload;
import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.Scratch;
import io.longhaul.bench.run.Unavailable;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The class archive that a measured server starts from, trained by load as that of a release is. */
final class ClassArchive {

    /** What a server starts from. */
    enum Kind {
        NONE(", no archive"),
        CLASSES(", class archive"),
        /** Also keeps what the JVM has learned of hot methods, as the archive of a release does. */
        PROFILES(", archive with profiles");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    private static final int OLDEST_JAVA = 25;
    private static final Duration TRAINED = Duration.ofSeconds(2);
    private static final List<Workload> TRAINING = List.of(
            Workload.CALL_SESSION,
            Workload.CALL_STATELESS,
            Workload.CREATE_SESSION,
            Workload.CREATE_STATELESS,
            Workload.GET_LIVE_SESSION,
            Workload.GET_FINISHED_STATELESS,
            Workload.CYCLE);

    private ClassArchive() {}

    /**
     * The options of a JVM that starts from an archive.
     *
     * @param folder keeps the archive, which is made once
     */
    static List<String> options(Kind kind, Path folder) throws Exception {
        if (kind == Kind.NONE) {
            return List.of();
        }
        var archive = folder.resolve(kind + ".archive");
        if (!Files.exists(archive)) {
            train(kind, archive);
        }
        return List.of("-XX:AOTCache=" + archive);
    }

    private static void train(Kind kind, Path archive) throws Exception {
        if (Runtime.version().feature() < OLDEST_JAVA
                || Stream.of(BenchSettings.classPath().split(File.pathSeparator))
                        .anyMatch(entry -> !entry.endsWith(".jar"))) {
            throw new Unavailable("a class archive needs a JDK 25, and jars, which lab/bench/run has");
        }
        var written = List.of("-XX:AOTCacheOutput=" + archive);
        var withoutProfiles = List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTRecordTraining");
        var options = Stream.concat(
                        written.stream(), (kind == Kind.PROFILES ? List.<String>of() : withoutProfiles).stream())
                .toList();
        try (var scratch = Scratch.make();
                var server = ColdLoad.start(scratch, options)) {
            var address = server.address();
            for (var workload : TRAINING) {
                ColdLoad.load(workload, server, address, TRAINED, 1);
            }
            server.end();
        }
        if (!Files.exists(archive)) {
            throw new Unavailable("the JVM has written no class archive");
        }
    }
}

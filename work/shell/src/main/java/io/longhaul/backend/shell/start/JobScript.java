// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.start;

import io.longhaul.engine.run.Sha256;
import io.longhaul.engine.store.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The script of a job, job.sh, as a file in the folder of all jobs. The file is named after its content and never
 * overwritten: a shell reads its script while it runs, and jobs of an older server may still run an older script.
 */
public final class JobScript {

    public static final String TEXT = text();

    private static final int NAME_BITS = 64;
    private static final String NAME = "job-" + digest().substring(0, NAME_BITS / 4) + ".sh";

    private JobScript() {}

    /** The file in {@code jobs}; writes the file where it is missing. */
    public static Path in(Path jobs) throws IOException {
        var file = jobs.resolve(NAME);
        if (!Files.exists(file)) {
            var whole = jobs.resolve(NAME + "." + UUID.randomUUID());
            PrivateFiles.createFile(whole);
            Files.writeString(whole, TEXT);
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return file;
    }

    private static String digest() {
        return HexFormat.of().formatHex(Sha256.of(TEXT));
    }

    private static String text() {
        try (var resource = JobScript.class.getResourceAsStream("job.sh")) {
            if (resource == null) {
                throw new IllegalStateException("job.sh is missing in the jar");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

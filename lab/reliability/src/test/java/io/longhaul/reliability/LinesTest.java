// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinesTest {

    @TempDir
    private Path folder;

    @Test
    void a_thread_that_is_interrupted_leaves_the_file_open_for_the_others() throws Exception {
        var path = folder.resolve("told");
        try (var lines = new Lines(path)) {
            var interrupted = Thread.ofPlatform().start(() -> {
                Thread.currentThread().interrupt();
                lines.write("asked", "first");
            });
            interrupted.join();
            lines.write("asked", "second");
        }
        assertThat(Lines.read(path)).containsExactly("asked first", "asked second");
    }
}

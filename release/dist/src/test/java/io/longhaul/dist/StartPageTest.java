// SPDX-License-Identifier: Apache-2.0
package io.longhaul.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first page of the documentation: a reader types it, with nothing but a JDK and the zip. */
class StartPageTest {
    private static final Path PAGE = Path.of("../../docs/START.md");

    /** Of somebody who types 60 words a minute, of 5 characters each. */
    private static final int FIVE_MINUTES = 5 * 60 * 5;

    @TempDir
    Path folder;

    /** `.ci/start` types the other section, from Maven coordinates. */
    @Test
    void a_task_that_is_made_from_the_zip_survives_the_kill_of_its_server() throws Exception {
        Files.copy(Release.ZIP, folder.resolve(Release.ZIP.getFileName()));
        var shell = Release.process(folder, List.of(Release.JAVA_HOME.resolve("bin")), "sh");
        var seen = TypedPage.of(PAGE, "With the zip").type(shell, folder);
        assertThat(seen).doesNotContain("SEVERE", "Exception");
    }

    @ParameterizedTest
    @ValueSource(strings = {"With the zip", "With Maven"})
    void each_way_is_typed_in_five_minutes(String section) throws IOException {
        assertThat(TypedPage.of(PAGE, section).characters()).isLessThan(FIVE_MINUTES);
    }
}

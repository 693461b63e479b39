// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramsTest {
    @TempDir
    Path folder;

    @Test
    void a_program_with_a_path_is_looked_for_from_the_folder_of_the_command() throws IOException {
        var script = Files.writeString(folder.resolve("job.sh"), "#!/bin/sh\n");
        assertThat(Programs.isThere("./job.sh", folder)).isFalse();
        assertThat(script.toFile().setExecutable(true)).isTrue();
        assertThat(Programs.isThere("./job.sh", folder)).isTrue();
        assertThat(Programs.isThere("./job.sh", folder.getParent())).isFalse();
        assertThat(Programs.isThere(script.toString(), folder)).isTrue();
    }

    @Test
    void a_program_without_a_path_is_looked_for_as_a_shell_does() {
        assertThat(Programs.isThere("sh", folder)).isTrue();
        assertThat(Programs.isThere("no-such-program-here", folder)).isFalse();
    }
}

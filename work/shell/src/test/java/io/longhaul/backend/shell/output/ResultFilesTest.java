// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.secret.SecretMask;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that a command leaves, however hostile they are. */
@Timeout(30)
class ResultFilesTest {

    private static final SecretMask NO_SECRETS = SecretMask.of(List.of());
    private static final String LINK = " is left out: it is a link, or no regular file.";

    @TempDir
    Path home;

    private Path folder;

    @BeforeEach
    void make() throws IOException {
        folder = Files.createDirectories(home.resolve("work/out")).getParent();
        Files.writeString(home.resolve("outside"), "not for callers");
        Files.writeString(folder.resolve("report.txt"), "the key is k-1234567");
        Files.writeString(folder.resolve("out/a.png"), "a");
        Files.writeString(folder.resolve("out/b.png"), "b");
        Files.writeString(folder.resolve("out/c.txt"), "c");
    }

    private ResultFiles of(String... patterns) throws IOException {
        return ResultFiles.in(folder, List.of(patterns), NO_SECRETS);
    }

    @Test
    void files_are_found_by_name_and_by_pattern_each_once() throws IOException {
        assertThat(of("report.txt", "out/*.png").found()).containsOnlyKeys("report.txt", "out/a.png", "out/b.png");
        assertThat(of("**.txt", "report.txt", "{out,in}/c.*").found()).containsOnlyKeys("out/c.txt", "report.txt");
        assertThat(of("*.png").found()).isEmpty();
        assertThat(of("gone.txt").problems())
                .containsExactly("The file gone.txt is left out: the command has not written it.");
    }

    @Test
    void secrets_are_masked_in_texts() throws IOException {
        var files = ResultFiles.in(folder, List.of("report.txt"), SecretMask.of(List.of("k-1234567")));
        assertThat(new String(files.found().get("report.txt"), UTF_8)).isEqualTo("the key is ***");
    }

    @Test
    void links_and_pipes_lead_to_nothing() throws Exception {
        Files.createSymbolicLink(folder.resolve("out/evil.png"), home.resolve("outside"));
        Files.createSymbolicLink(folder.resolve("up"), home);
        new ProcessBuilder("mkfifo", folder.resolve("pipe").toString()).start().waitFor();
        var files = of("out/e*.png", "up/outside", "up/*", "pipe", "out");
        assertThat(files.found()).isEmpty();
        assertThat(files.problems())
                .containsExactly(
                        "The file out/evil.png" + LINK,
                        "The file up/outside" + LINK,
                        "The file pipe" + LINK,
                        "The file out" + LINK);
    }

    @Test
    void large_files_and_too_many_are_left_out_and_that_is_said() throws IOException {
        try (var huge = new RandomAccessFile(folder.resolve("huge").toFile(), "rw")) {
            huge.setLength(1L << 40);
        }
        assertThat(of("huge").problems()).first().asString().contains("it has 1099511627776 bytes");
        for (int i = 0; i < 51; i++) {
            Files.writeString(folder.resolve("%02d.dat".formatted(i)), "x");
        }
        var files = of("*.dat");
        assertThat(files.found()).hasSize(50);
        assertThat(files.problems())
                .singleElement()
                .asString()
                .startsWith("The file 50.dat is left out: a result may have 50 files");
    }

    @Test
    void of_very_many_files_that_are_left_out_only_the_first_are_named() throws IOException {
        for (int i = 0; i < 200; i++) {
            Files.writeString(folder.resolve("%03d.dat".formatted(i)), "x");
        }
        var files = of("*.dat");
        assertThat(files.found()).hasSize(50);
        assertThat(files.problems())
                .hasSize(51)
                .contains("The file 099.dat is left out: a result may have 50 files of 16777216 bytes in all.")
                .endsWith("More files are left out.");
    }

    @Test
    void a_folder_that_the_command_has_removed_has_no_files() throws IOException {
        folder = home.resolve("gone");
        assertThat(of("a", "*", "**/*").problems()).hasSize(1);
    }

    @Test
    void a_pattern_stays_below_the_folder() {
        assertThat(List.of("a", "out/*.png", "**/[a-z].{txt,md}")).allMatch(ResultFiles::isLegal);
        assertThat(List.of("", "/etc/passwd", "..", "../a", "a/../../b", "./a")).noneMatch(ResultFiles::isLegal);
    }
}

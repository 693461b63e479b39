// SPDX-License-Identifier: Apache-2.0
package io.longhaul.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What can be told of {@code longhaul.cmd} without Windows: its text, beside the launcher for other systems. */
class WindowsLauncherTest {
    private static final Pattern JVM_OPTION = Pattern.compile("-X[\\w:+=]+");

    private static String windows;
    private static String others;

    @BeforeAll
    static void read() throws IOException {
        windows = fromZip("bin/longhaul.cmd");
        others = fromZip("lib/start.sh").split("\nstart\\(\\) \\{", 2)[1];
    }

    @Test
    void lines_end_as_windows_wants_them() {
        assertThat(windows).contains("\r\n");
        assertThat(windows.replace("\r\n", "")).doesNotContain("\n", "\r");
    }

    @Test
    void it_runs_the_same_jar_with_the_same_arguments() {
        assertThat(windows).contains("longhaul-cli-*.jar", "-jar \"%jar%\" %*");
        assertThat(others).contains("-jar \"$jar\" \"$@\"");
    }

    @Test
    void the_jvm_gets_the_options_of_the_other_launcher_and_makes_its_archive_itself() {
        assertThat(jvmOptions(windows))
                .containsAll(jvmOptions(others).toList())
                .contains("-XX:+AutoCreateSharedArchive");
    }

    @Test
    void what_may_hold_spaces_is_quoted() {
        for (var line : windows.split("\r\n")) {
            var paths = Pattern.compile("%(?:root|java|jar|cache|JAVA_HOME|LOCALAPPDATA|TEMP|~dp0|%~j)%?")
                    .matcher(line);
            while (paths.find()) {
                assertThat(line.substring(0, paths.start())
                                        .chars()
                                        .filter(c -> c == '"')
                                        .count()
                                % 2)
                        .as(line)
                        .isOne();
            }
        }
    }

    @Test
    void the_exit_code_of_the_program_is_the_code_of_the_launcher() {
        var lines = windows.lines().toList();
        assertThat(lines).last().isEqualTo("exit /b %code%");
        assertThat(lines.get(lines.indexOf("set \"code=%ERRORLEVEL%\"") - 1)).endsWith("-jar \"%jar%\" %*");
    }

    private static Stream<String> jvmOptions(String script) {
        return JVM_OPTION.matcher(script).results().map(option -> option.group());
    }

    private static String fromZip(String file) throws IOException {
        try (var zip = new ZipFile(Release.ZIP.toFile())) {
            var entry = zip.stream()
                    .filter(each -> each.getName().endsWith("/" + file))
                    .findFirst()
                    .orElseThrow();
            return new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

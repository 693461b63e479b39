// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.file.ServerFile;
import io.longhaul.file.settings.Recording;
import io.longhaul.file.tree.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.Level;

class RecordingOptionsTest {

    @TempDir
    Path folder;

    private Recording recording(String yaml, String... options) throws IOException {
        var file = folder.resolve("tools.yaml");
        Files.writeString(file, "tools:\n  - name: t\n    description: d\n    command: [\"true\"]\n" + yaml);
        var arguments = Arguments.parse(List.of(options), RecordingOptions.ALL);
        return RecordingOptions.over(ServerFile.read(file), arguments).recording();
    }

    @Test
    void the_audit_log_is_on_by_default_and_the_log_goes_to_standard_error() throws IOException {
        assertThat(recording("")).isEqualTo(Recording.DEFAULT);
        assertThat(Recording.DEFAULT.audit().isOn()).isTrue();
        assertThat(Recording.DEFAULT.audit().files()).isEqualTo(new Recording.Files(Optional.empty(), 10 << 20, 5));
    }

    @Test
    void a_file_says_where_and_how_much_is_kept() throws IOException {
        var read =
                recording("audit: {file: a.log, size: 1MB, keep: 2}\nlog: {level: debug, format: json, file: l.log}\n");
        assertThat(read.audit().files())
                .isEqualTo(new Recording.Files(Optional.of(folder.resolve("a.log")), 1 << 20, 2));
        assertThat(read.log().level()).contains(Level.DEBUG);
        assertThat(read.log().json()).isTrue();
        assertThat(read.log().files().path()).contains(folder.resolve("l.log"));
        assertThat(recording("audit: off\nlog: trace\n").audit().isOn()).isFalse();
    }

    @Test
    void the_command_line_wins() throws IOException {
        var read = recording(
                "audit: off\nlog: {level: debug, format: json}\n",
                "--audit",
                "/x/a.log",
                "--log-level",
                "ERROR",
                "--log-format",
                "text",
                "--log-file",
                "/x/l.log");
        assertThat(read.audit().isOn()).isTrue();
        assertThat(read.audit().files().path()).contains(Path.of("/x/a.log"));
        assertThat(read.log().level()).contains(Level.ERROR);
        assertThat(read.log().json()).isFalse();
        assertThat(read.log().files().path()).contains(Path.of("/x/l.log"));
        assertThat(recording("", "--audit", "off").audit().isOn()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "--log-level, loud, '--log-level \"loud\" is no level. ', error",
        "--log-format, xml, '--log-format is ', 'text or json, not \"xml\".'",
    })
    void a_bad_value_on_the_command_line_gets_one_error(String option, String value, String problem, String advice) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> recording("", option, value))
                .withMessageStartingWith(problem)
                .withMessageContaining(advice);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "audit: maybe | must be on, off or fields",
                "audit: {size: 12} | must be a size of 1KB or more",
                "audit: {keep: 5000} | must be a whole number from 1 to 1000",
                "log: loud | must be a level or fields",
                "log: {format: xml} | must be text or json",
            })
    void a_bad_value_in_the_file_gets_one_error(String yaml, String problem) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> recording(yaml + "\n"))
                .withMessageContaining(problem);
    }

    @Test
    void calls_are_shown_over_http_and_in_files_and_hosts_get_warnings_alone() {
        var usual = Recording.DEFAULT.log();
        var inFile = new Recording.Log(Optional.empty(), false, usual.files().at(Path.of("x.log")));
        var said = new Recording.Log(Optional.of(Level.TRACE), false, usual.files());
        assertThat(RecordingOptions.level(usual, false, Optional.empty())).contains(Level.INFO);
        assertThat(RecordingOptions.level(usual, true, Optional.empty())).contains(Level.WARN);
        assertThat(RecordingOptions.level(inFile, true, Optional.empty())).contains(Level.INFO);
        assertThat(RecordingOptions.level(said, true, Optional.of("INFO"))).contains(Level.TRACE);
        assertThat(RecordingOptions.level(usual, false, Optional.of("ERROR"))).isEmpty();
    }
}

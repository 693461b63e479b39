// SPDX-License-Identifier: Apache-2.0
package io.longhaul.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service of systemd and the image: what their files promise. `lint/run` reads the Dockerfile for faults. */
class ServiceTest {
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z-]+");

    @TempDir
    static Path folder;

    private static Path release;
    private static String unit;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        release = Release.unpack(folder);
        unit = Files.readString(release.resolve("systemd/longhaul.service"));
    }

    @Test
    void the_service_can_do_no_more_than_it_needs() {
        assertThat(directives())
                .containsEntry("NoNewPrivileges", "yes")
                .containsEntry("CapabilityBoundingSet", "")
                .containsEntry("ProtectSystem", "strict")
                .containsEntry("ProtectHome", "yes")
                .containsEntry("PrivateDevices", "yes")
                .containsEntry("StateDirectoryMode", "0700")
                .containsEntry("UMask", "0077");
    }

    @Test
    void commands_keep_their_life_their_user_and_their_files_over_a_restart_of_the_service() {
        assertThat(directives())
                .containsEntry("KillMode", "process")
                .containsEntry("Restart", "on-failure")
                .doesNotContainKeys("DynamicUser", "PrivateTmp", "RuntimeDirectory");
    }

    @Test
    void the_service_is_tried_again_without_end_while_something_is_away_and_not_for_an_invalid_file() {
        assertThat(directives())
                .containsEntry("RestartSec", "5")
                .containsEntry("StartLimitIntervalSec", "0")
                .containsEntry("RestartPreventExitStatus", "2");
    }

    @Test
    void the_user_and_the_folders_are_made_before_the_service_uses_them() throws IOException {
        var directives = directives();
        var state = "/var/lib/" + directives.get("StateDirectory");
        assertThat(directives.get("ExecStart")).endsWith(" --data " + state);
        assertThat(directives)
                .containsEntry("Environment", "XDG_CACHE_HOME=/var/cache/" + directives.get("CacheDirectory"));
        assertThat(release.resolve("systemd/longhaul.sysusers"))
                .content()
                .startsWith("u " + directives.get("User") + " ")
                .contains(state);
    }

    @Test
    void the_service_and_the_image_give_the_command_options_that_it_has() throws IOException {
        var command = Files.readString(release.resolve("Dockerfile")).lines().filter(line -> line.startsWith("CMD "));
        var manual = Files.readString(release.resolve("man/longhaul.1")).replace("\\-", "-");
        assertThat(OPTION.matcher(directives().get("ExecStart") + command.collect(Collectors.joining()))
                        .results())
                .extracting(MatchResult::group)
                .contains("--http", "--data", "--bind")
                .allMatch(manual::contains);
    }

    @Test
    void process_1_of_the_image_waits_for_the_children_of_others() throws IOException {
        var lines = Files.readString(release.resolve("Dockerfile")).lines().toList();
        assertThat(lines).contains("ENTRYPOINT [\"tini\", \"--\", \"longhaul\"]");
        assertThat(lines).anyMatch(line -> line.contains("apt-get install") && line.endsWith(" tini \\"));
    }

    @Test
    void systemd_finds_no_fault_with_the_service() throws Exception {
        var verifier = Release.find("systemd-analyze");
        assumeTrue(verifier.isPresent(), "systemd-analyze is not there");
        var installed = Files.writeString(
                folder.resolve("longhaul.service"), unit.replace("/opt/longhaul", release.toString()));
        // The manual is not installed here.
        var said = Release.run(
                new ProcessBuilder(verifier.get().toString(), "verify", "--man=no", installed.toString()), folder);
        assertThat(said.out() + said.err()).doesNotContain("longhaul");
        assertThat(said.code()).isZero();
    }

    private static Map<String, String> directives() {
        return unit.lines()
                .filter(line -> line.matches("\\w+=.*"))
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(directive -> directive[0], directive -> directive[1]));
    }
}

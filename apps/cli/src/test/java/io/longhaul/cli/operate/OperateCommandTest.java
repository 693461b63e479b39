// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.StartedServersFixture;
import io.longhaul.cli.text.JsonText;
import io.longhaul.file.webhook.SignedCall;
import io.longhaul.testkit.NeedsPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Schedules and triggers of real processes, which an operator runs, pauses and resumes. */
@Timeout(180)
class OperateCommandTest extends StartedServersFixture {
    private static final String SECRET = "correct horse";
    private static final String TOOLS = """
        tools:
          sweep: {command: [echo, swept]}
        schedules:
          nightly: {tool: sweep, cron: "30 3 * * *", zone: UTC}
        triggers:
          push: {tool: sweep, secret: {file: secret}}
        """;

    @BeforeEach
    void keepSecret() throws IOException {
        SignedCall.keep(folder.resolve("secret"), SECRET);
    }

    private int push(String url, String message) throws Exception {
        return SignedCall.of(message, SECRET, "").to(URI.create(url), "push").statusCode();
    }

    /** Waits until a list says so: a server sees what is ordered elsewhere at its next look. */
    private void awaitListed(String state, String... line) {
        do {
            assertThat(run(line)).as(user.err()).isZero();
        } while (!user.out().contains(state));
    }

    @Test
    void a_schedule_is_run_paused_and_resumed_and_a_pause_outlives_a_killed_server() throws Exception {
        assertThat(run("schedules")).isEqualTo(2);
        assertThat(user.err()).contains("no server of yours listens here. Start one: longhaul serve FILE.yaml");
        var file = Files.writeString(folder.resolve("tools.yaml"), TOOLS);
        servers.serve(file);
        awaitListed("nightly", "schedules");
        assertThat(user.out()).containsPattern("nightly +sweep +on +\\d{4}-\\d\\d-\\d\\dT03:30:00Z");
        assertThat(run("schedules", "run", "nightly")).as(user.err()).isZero();
        assertThat(run("tasks", "result", user.out().strip())).isZero();
        assertThat(user.out()).contains("swept");

        assertThat(run("schedules", "pause", "nightly")).isZero();
        assertThat(user.err()).isEqualTo("longhaul: nightly is paused\n");
        servers.kill();
        servers.serve(file);
        awaitListed("paused", "schedules", "list");
        assertThat(run("schedules", "resume", "nightly")).isZero();
        awaitListed("on ", "schedules", "list");
        assertThat(run("schedules", "list", "--output", "json")).isZero();
        assertThat(JsonText.read(user.out()).at("/schedules/0/name").asString()).isEqualTo("nightly");
        assertThat(JsonText.read(user.out()).at("/schedules/0/kind").asString()).isEqualTo("schedule");
    }

    @Test
    void a_name_or_a_verb_that_is_not_there_is_told() throws Exception {
        servers.serve("tools", TOOLS);
        awaitListed("push", "triggers");
        assertThat(run("schedules", "pause", "nightli")).isEqualTo(2);
        assertThat(user.err()).contains("there is no schedule \"nightli\". Did you mean nightly?");
        assertThat(run("triggers", "run", "push")).isEqualTo(2);
        assertThat(user.err()).contains("triggers cannot \"run\".");
        assertThat(run("schedules", "run")).isEqualTo(2);
        assertThat(user.err()).contains("the name, as longhaul schedules list shows it, is missing.");
    }

    @Test
    void a_folder_that_no_server_has_used_is_told() {
        for (var command : List.of("schedules", "triggers", "upstreams")) {
            for (var other : List.of(folder.resolve("nonesuch"), folder)) {
                assertThat(run(command, "--data", other.toString())).isEqualTo(2);
                assertThat(user.err())
                        .isEqualTo("longhaul: --data \"" + other + "\" is no data folder of a server: there is no"
                                + " tasks.db. Write the folder that serve names as the place where tasks are kept.\n");
            }
        }
    }

    @Test
    void a_folder_whose_server_does_not_run_is_told_with_the_command_that_starts_it() throws IOException {
        Files.createFile(folder.resolve("tasks.db"));
        assertThat(run("schedules", "--data", folder.toString())).isEqualTo(4);
        assertThat(user.err())
                .isEqualTo("longhaul: the server does not answer, and nothing is done. Start it where it does not run:"
                        + " longhaul serve FILE.yaml\n");
        assertThat(run("upstreams", "--data", folder.toString())).isEqualTo(4);
        assertThat(user.err()).endsWith("Start it where it does not run: longhaul gateway FILE.yaml\n");
    }

    @Test
    void a_paused_trigger_makes_no_task_until_it_is_resumed() throws Exception {
        var url = servers.serve("tools", TOOLS);
        awaitListed("push", "triggers");
        assertThat(run("triggers", "pause", "push")).isZero();
        assertThat(push(url, "message-1")).isEqualTo(503);
        assertThat(run("triggers", "resume", "push")).isZero();
        assertThat(push(url, "message-1")).isEqualTo(202);
    }

    @Test
    @NeedsPostgres
    void a_pause_at_one_server_of_a_database_holds_at_the_others() throws Exception {
        try (var postgres = EmbeddedPostgres.builder().start()) {
            var tools = "store: {url: 'jdbc:postgresql://localhost:" + postgres.getPort()
                    + "/postgres', user: postgres}\n" + TOOLS;
            servers.serve("one", tools);
            var other = servers.serve("two", tools);
            assertThat(run("triggers", "pause", "push")).isEqualTo(2);
            assertThat(user.err()).contains("Several of yours run. Add --data DIR:", "one.yaml: --data ");
            var data = user.err()
                    .lines()
                    .filter(line -> line.contains("one.yaml: "))
                    .findFirst()
                    .orElseThrow();
            var one = data.substring(data.indexOf("--data ") + "--data ".length());
            awaitListed("push", "triggers", "--data", one);
            assertThat(run("triggers", "pause", "push", "--data", one)).isZero();
            assertThat(push(other, "message-1")).isEqualTo(503);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static io.longhaul.backend.shell.Jobs.get;
import static io.longhaul.backend.shell.Jobs.inBackground;
import static io.longhaul.backend.shell.Jobs.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are killed while they start jobs, at whatever point each of the jobs is. */
@Timeout(60)
class ManyServersTest {

    @TempDir
    Path home;

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 20, 30, 39})
    void every_job_runs_exactly_once_wherever_its_server_was_killed(int handlesBeforeTheKill) throws Exception {
        killServerAfter(handlesBeforeTheKill);
        var jobs = new Jobs(home);
        var outcomes = IntStream.range(0, ServerProcess.MANY)
                .mapToObj(number -> inBackground(() ->
                        jobs.running(ServerProcess.oneOfMany(home, number)).run(jobs.run(number))))
                .toList();
        for (var outcome : outcomes) {
            assertThat(text(get(outcome))).isEqualTo("0\ndone\n");
        }
        for (int number = 0; number < ServerProcess.MANY; number++) {
            assertThat(home.resolve("runs" + number)).hasContent("run");
        }
    }

    private void killServerAfter(int handles) throws Exception {
        var server = ServerProcess.startMany(home);
        try (var output = server.inputReader()) {
            for (int saved = 0; saved < handles; saved++) {
                assertThat(output.readLine()).isEqualTo("saved");
            }
        }
        server.destroyForcibly();
        assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.isDirectory(home.resolve("jobs"))).isTrue();
    }
}

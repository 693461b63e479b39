// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.examples.ReportServer.Report;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.test.EveryGeneration;
import io.longhaul.test.LonghaulExtension;
import io.longhaul.test.TestClient;
import io.longhaul.test.TestClock;
import io.longhaul.test.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The tool of {@link ReportServer}, tested as docs/TESTING.md tells. */
class WordReportTest {

    @TempDir
    Path folder;

    private String texts;

    @RegisterExtension
    final LonghaulExtension longhaul = LonghaulExtension.serving(server -> server.tool(ReportServer.wordReport()));

    @EveryGeneration(that = Capability.ELICITATION)
    void a_report_goes_on_after_a_crash(TestClient client, TestServer server) {
        var task = client.call("word_report", Map.of("folder", texts));
        assertThat(task).reportedProgress(2, 2).asked("Publish the report?");
        server.crash();
        server.restart();
        task.approve("Publish the report?");
        assertThat(task).completedWith(new Report(texts, 2, 4)).hasStarted(2);
    }

    @Test
    void a_report_that_nobody_decides_about_fails_after_two_hours(TestClient client, TestClock clock) {
        var task = client.call("word_report", Map.of("folder", texts));
        assertThat(task).isWaitingForAnswers();
        clock.advance(Duration.ofHours(2));
        assertThat(task).failedBecause(FailureReason.TIMED_OUT);
    }

    @Test
    void a_call_is_answered_when_a_slow_disk_has_it(TestClient client, TestServer server, TestClock clock) {
        server.store().slow(Duration.ofSeconds(5));
        var task = client.call("word_report", Map.of("folder", texts));
        assertThat(task.stored()).isEmpty();
        clock.advance(Duration.ofSeconds(5));
        assertThat(task).isWorking();
        server.store().slow(Duration.ZERO);
        assertThat(task).isWaitingForAnswers();
    }

    @BeforeEach
    void writeTexts() throws IOException {
        Files.writeString(folder.resolve("a.txt"), "one two\nthree");
        Files.writeString(folder.resolve("b.txt"), "four");
        texts = folder.toString();
    }
}

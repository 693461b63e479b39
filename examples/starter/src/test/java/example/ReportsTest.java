// SPDX-License-Identifier: Apache-2.0
package example;

import static org.assertj.core.api.Assertions.assertThat;

import example.Reports.Report;
import io.longhaul.test.LonghaulExtension;
import io.longhaul.test.TestClient;
import io.longhaul.test.TestServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReportsTest {

    @RegisterExtension
    final LonghaulExtension longhaul = LonghaulExtension.serving(server -> server.toolsOf(new Reports()));

    @Test
    void a_report_goes_on_after_a_crash(TestClient client, TestServer server) {
        var task = client.call("report", Map.of("pages", List.of("cover", "sales")));
        assertThat(task).reportedProgress(1, 2);
        server.crash();
        server.restart();
        assertThat(task).completedWith(new Report(2)).hasStarted(2);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway is killed in the middle of a long call, in a process of its own. */
class GatewayKillTest {

    private static final int KILLS = Integer.getInteger("longhaul.gateway.kills", 3);

    @TempDir
    Path folder;

    private Process process;

    /** Starts a gateway. A connection of another program may have the port for a moment: then it is started again. */
    private URI start(int port, URI behind) throws IOException, InterruptedException {
        for (int tries = 0; tries < 10; tries++) {
            process = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            GatewayMain.class.getName(),
                            folder.resolve("gateway.db").toString(),
                            String.valueOf(port),
                            behind.toString()))
                    .redirectError(folder.resolve("gateway.log").toFile())
                    .start();
            var url = process.inputReader().readLine();
            if (url != null) {
                return URI.create(url);
            }
            process.waitFor();
            assertThat(log()).contains("in use");
        }
        throw new IOException(log());
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("gateway.log"));
    }

    private void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Test
    @Timeout(600)
    void a_call_outlives_each_kill_of_its_gateway_and_is_made_once() throws Exception {
        try (var behind = new Behind(folder.resolve("behind.db"))) {
            var address = start(0, behind.address());
            for (int kill = 0; kill < KILLS; kill++) {
                var name = "job " + kill;
                try (var client = McpClient.to(address).connect()) {
                    var call = client.call("job", Map.of("name", name));
                    var seen = new CountDownLatch(1);
                    call.onProgress(progress -> seen.countDown());
                    if (kill % 2 == 0) {
                        seen.await();
                    } else {
                        call.reference();
                    }
                    kill();
                    start(address.getPort(), behind.address());
                    behind.open(name);
                    assertThat(GatewayTest.text(call.await())).contains("done " + name);
                }
                assertThat(behind.runs(name)).isEqualTo(1);
            }
        } finally {
            kill();
        }
    }
}

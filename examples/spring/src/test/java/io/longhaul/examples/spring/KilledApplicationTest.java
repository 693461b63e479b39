// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The application in a process of its own. */
@Timeout(120)
class KilledApplicationTest {

    private static final int SENT = 5;
    private static final int ALL = 12;
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    @TempDir
    Path folder;

    /** An application that runs, and the address of its server. */
    private record Running(Process process, BufferedReader lines, URI url) implements AutoCloseable {

        static Running start(Path folder, Class<?> main, String... more) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    main.getName(),
                    "--server.port=0",
                    "--longhaul.store.path=" + folder.resolve("invoices.db"),
                    "--invoices.outbox=" + folder.resolve("outbox.txt"),
                    "--invoices.pause-millis=0"));
            command.addAll(List.of(more));
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            var lines = process.inputReader(StandardCharsets.UTF_8);
            var said = new StringBuilder();
            var served = "";
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                said.append(line).append('\n');
                var port = PORT.matcher(line);
                if (port.find()) {
                    served = port.group(1);
                }
                if (line.contains("serving on the servlet")) {
                    return new Running(process, lines, URI.create("http://127.0.0.1:" + served + "/mcp"));
                }
            }
            throw new AssertionError("the application did not start:\n" + said);
        }

        /** SIGKILL. */
        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }

        @Override
        public void close() throws InterruptedException {
            kill();
        }
    }

    @Test
    void an_application_that_is_killed_between_steps_goes_on_behind_the_last_one() throws Exception {
        var half = new CountDownLatch(1);
        try (var first = Running.start(folder, JammedApplication.class, "--jam.after=" + SENT);
                var client = McpClient.to(first.url()).connect()) {
            client.call("send_invoices", Map.of("month", "2026-10", "count", ALL))
                    .onProgress(progress -> {
                        if (progress.current() >= SENT) {
                            half.countDown();
                        }
                    });
            half.await();
            first.kill();
        }
        assertThat(sent()).hasSize(SENT);
        try (var second = Running.start(folder, InvoicesApplication.class);
                var client = McpClient.to(second.url()).connect()) {
            var task = client.tasks().list().getFirst();
            assertThat(client.tasks().result(task.id()).toString()).contains("in attempt 2");
        }
        assertThat(sent())
                .isEqualTo(IntStream.rangeClosed(1, ALL)
                        .mapToObj(number -> "2026-10/" + number)
                        .toList());
    }

    private List<String> sent() throws IOException {
        return Files.readAllLines(folder.resolve("outbox.txt"));
    }
}

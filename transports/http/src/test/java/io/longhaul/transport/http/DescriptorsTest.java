// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.testkit.talk.RawHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A server in a process of its own that may open 400 files and sockets, and no more. */
@Timeout(120)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no ulimit")
class DescriptorsTest {

    private static final int LIMIT = 400;

    private Process process;
    private PrintStream commands;
    private BufferedReader answers;
    private int port;

    @BeforeEach
    void start() throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n " + LIMIT + "; exec \"$@\"",
                        "sh",
                        java,
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ShortServer.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        commands = new PrintStream(process.getOutputStream(), true, UTF_8);
        answers = process.inputReader(UTF_8);
        port = Integer.parseInt(answers.readLine());
    }

    @AfterEach
    void end() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private int tell(String command) throws IOException {
        commands.println(command);
        return Integer.parseInt(answers.readLine());
    }

    private RawHttp client() throws IOException {
        return new RawHttp(port);
    }

    @Test
    void six_hundred_silent_connections_leave_the_server_answering_and_descriptors_for_others() throws IOException {
        var before = tell("count");
        var clients = new ArrayList<RawHttp>();
        try {
            for (var i = 0; i < 600; i++) {
                clients.add(client());
            }
            try (var client = client()) {
                assertThat(client.post("{}").response().status()).isEqualTo(200);
            }
            var half = before + (LIMIT - before) / 2;
            assertThat(tell("count")).isBetween(half - 20, half + 20);
            assertThat(clients.getFirst().isClosedByServer()).isTrue();
        } finally {
            for (var client : clients) {
                client.close();
            }
        }
    }

    @Test
    void a_server_out_of_descriptors_cuts_who_is_idle_and_goes_on_to_take_connections() throws IOException {
        try (var idle = client()) {
            assertThat(idle.post("{}").response().status()).isEqualTo(200);
            assertThat(tell("take")).isPositive();
            // The call that waits for it has its descriptor already; the one after it has none.
            try (var first = client();
                    var second = client()) {
                assertThat(first.post("{}").response().status()).isEqualTo(200);
                assertThat(second.post("{}").response().status()).isEqualTo(200);
                assertThat(idle.isClosedByServer()).isTrue();
            }
        }
    }

    @Test
    void a_connection_waits_while_the_server_is_out_of_descriptors_and_is_served_when_there_are_some()
            throws IOException {
        assertThat(tell("take")).isPositive();
        try (var first = client();
                var second = client()) {
            assertThat(first.post("{}").response().status()).isEqualTo(200);
            second.post("{}");
            assertThat(tell("give")).isZero();
            assertThat(second.response().status()).isEqualTo(200);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.transport.socket.SocketProtocol;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The socket for windows in a process that may open few files and sockets. */
@Timeout(60)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no ulimit")
class LocalSocketTest {

    @TempDir
    Path folder;

    private Process process;
    private PrintStream commands;
    private BufferedReader answers;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n 200; exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        // A log could need classes, which cannot be loaded without a descriptor.
                        "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
                        ShortWindows.class.getName(),
                        folder.resolve("s").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        commands = new PrintStream(process.getOutputStream(), true, UTF_8);
        answers = process.inputReader(UTF_8);
        assertThat(answers.readLine()).isEqualTo("serving");
    }

    @AfterEach
    void end() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private void tell(String command) throws IOException {
        commands.println(command);
        assertThat(answers.readLine()).isEqualTo(command);
    }

    private UnixDomainSocketAddress address() {
        return UnixDomainSocketAddress.of(folder.resolve("s"));
    }

    private SocketChannel connect() throws IOException {
        var channel = SocketChannel.open(address());
        SocketProtocol.write(Channels.newOutputStream(channel), "card");
        return channel;
    }

    private static String greeting(SocketChannel channel) throws IOException {
        return SocketProtocol.read(Channels.newInputStream(channel));
    }

    @Test
    void windows_share_the_server_again_after_it_was_out_of_descriptors() throws IOException {
        // Without a descriptor no class could be loaded: a window before has the server load all that it needs.
        try (var before = connect()) {
            assertThat(greeting(before)).isEqualTo(SocketProtocol.WELCOME);
        }
        assertThat(answers.readLine()).isEqualTo("closed");
        tell("take");
        // The listener may have a descriptor already, and another one when the window before is all gone.
        try (var first = SocketChannel.open(address());
                var second = SocketChannel.open(address());
                var third = SocketChannel.open(address())) {
            assertThat(List.of(first, second, third)).allMatch(SocketChannel::isConnected);
            tell("await");
            tell("give");
        }
        try (var after = connect()) {
            assertThat(greeting(after)).isEqualTo(SocketProtocol.WELCOME);
        }
    }

    @Test
    void a_window_is_told_of_each_message_that_the_server_is_done_with() throws IOException {
        try (var window = connect()) {
            assertThat(greeting(window)).isEqualTo(SocketProtocol.WELCOME);
            SocketProtocol.write(Channels.newOutputStream(window), "{}");
            assertThat(greeting(window)).isEqualTo(SocketProtocol.taken(1).toString());
            SocketProtocol.write(Channels.newOutputStream(window), "{}");
            assertThat(greeting(window)).isEqualTo(SocketProtocol.taken(2).toString());
        }
    }
}

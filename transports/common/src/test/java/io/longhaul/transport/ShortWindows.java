// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Exchange;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A socket for windows in a process that its test can leave without descriptors. */
final class ShortWindows {

    private ShortWindows() {}

    /** @param args the path of the socket */
    public static void main(String[] args) throws IOException {
        letOneThreadWait();
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<FileInputStream> taken = new ArrayList<>();
        try (var socket = LocalSocket.at(Path.of(args[0]), card -> null, WireLimits.DEFAULT)) {
            socket.start(new Silent());
            System.out.println("serving");
            for (var command = commands.readLine(); command != null; command = commands.readLine()) {
                switch (command) {
                    case "take" -> take(taken);
                    case "await" -> awaitShortage(taken);
                    default -> {
                        for (var file : taken) {
                            file.close();
                        }
                    }
                }
                System.out.println(command);
            }
        }
    }

    /** Answers nothing. */
    private static final class Silent implements Endpoint {

        @Override
        public Runnable accept(byte[] message, Exchange exchange) {
            return () -> {};
        }

        @Override
        public void listen(Exchange exchange) {}

        @Override
        public void leave(Exchange exchange) {}

        @Override
        public void closed(Connection connection) {
            System.out.println("closed");
        }
    }

    /** The JVM opens the descriptors by which virtual threads wait when the first one waits, and then or never. */
    private static void letOneThreadWait() throws IOException {
        var pipe = Pipe.open();
        var waiting = Thread.startVirtualThread(() -> {
            try (var source = pipe.source()) {
                source.read(ByteBuffer.allocate(1));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        pipe.sink().close();
    }

    /** Blocks until the listener has had no descriptor for a window, and pauses; takes what others give back. */
    private static void awaitShortage(List<FileInputStream> taken) {
        var listener = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("socket-listener"))
                .findFirst()
                .orElseThrow();
        while (listener.getState() != Thread.State.TIMED_WAITING) {
            take(taken);
        }
    }

    private static void take(List<FileInputStream> taken) {
        try {
            while (true) {
                taken.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            // That was the last one.
            return;
        }
    }
}

package io.longhaul.transport;

import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Exchange;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A socket for windows in a process that its test can leave without descriptors. */
final class ShortWindows {

    private ShortWindows() {}

    /** @param args the path of the socket */
    public static void main(String[] args) throws IOException {
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<FileInputStream> taken = new ArrayList<>();
        try (var socket = LocalSocket.at(Path.of(args[0]), card -> null)) {
            socket.start(new Silent());
            System.out.println("serving");
            for (var command = commands.readLine(); command != null; command = commands.readLine()) {
                if (command.equals("take")) {
                    take(taken);
                } else {
                    for (var file : taken) {
                        file.close();
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
        public void closed(Connection connection) {}
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

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.testkit.talk.RawHttp;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server that its test can leave without descriptors. It says its port, and then a number for each command. */
final class ShortServer {

    private final List<FileInputStream> taken = new ArrayList<>();

    private ShortServer() {}

    public static void main(String[] args) throws Exception {
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (var http = Http.onPort(0)) {
            http.start(Script.ECHO);
            loadAll();
            try (var client = new RawHttp(http.port())) {
                client.post("{}").response();
            }
            System.out.println(http.port());
            var server = new ShortServer();
            for (var command = commands.readLine(); command != null; command = commands.readLine()) {
                System.out.println(server.run(command));
            }
        }
    }

    /** A class that lies in a folder takes a descriptor to load: there may be none when it is first needed. */
    private static void loadAll() throws Exception {
        var folder = Path.of(
                Http.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (var files = Files.walk(folder)) {
            for (var file : files.filter(it -> it.toString().endsWith(".class")).toList()) {
                var name = folder.relativize(file).toString().replace('/', '.').replaceFirst("\\.class$", "");
                if (!name.equals("module-info") && !name.endsWith("package-info")) {
                    Class.forName(name);
                }
            }
        }
    }

    private int run(String command) throws IOException {
        switch (command) {
            case "take" -> take();
            case "give" -> give();
            default -> {
                return Path.of("/proc/self/fd").toFile().list().length;
            }
        }
        return taken.size();
    }

    private void take() {
        try {
            while (true) {
                taken.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            // That was the last one.
            return;
        }
    }

    private void give() throws IOException {
        for (var file : taken) {
            file.close();
        }
        taken.clear();
    }
}

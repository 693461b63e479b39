package io.longhaul.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The server as a real second JVM. */
record ServerProcess(Process process, URI uri) {

    /** Starts one over {@code folder}, and returns when it answers. */
    static ServerProcess start(Path folder) throws IOException {
        return start(folder, 0);
    }

    /** Starts one over {@code folder}, at that port. */
    static ServerProcess start(Path folder, int port) throws IOException {
        Process process = jvm(CrashServer.class, folder.toString(), String.valueOf(port))
                .redirectError(folder.resolve("server.log").toFile())
                .start();
        BufferedReader out = process.inputReader();
        String url = out.readLine();
        if (url == null) {
            throw new IOException("the server did not start; see " + folder.resolve("server.log"));
        }
        return new ServerProcess(process, URI.create(url));
    }

    /** A second JVM that runs a main class of the tests. */
    static ProcessBuilder jvm(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    /** SIGKILL: the server gets no chance to finish anything. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }
}

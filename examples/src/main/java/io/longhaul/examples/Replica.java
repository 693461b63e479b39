// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A replica of a service: a process that says over HTTP which version it runs. */
final class Replica implements AutoCloseable {

    private final String version;
    private final Process process;
    private final URI address;

    /** Starts the process. */
    Replica(String version) throws IOException {
        this.version = version;
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        process = new ProcessBuilder(
                        java,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Replica.class.getName(),
                        version)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        address = URI.create("http://127.0.0.1:" + process.inputReader().readLine() + "/version");
    }

    String version() {
        return version;
    }

    boolean answers() {
        try (var answer = address.toURL().openStream()) {
            return version.equals(new String(answer.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroy();
    }

    /** The process: prints its port, serves its version, and ends with its standard input, and so with its cluster. */
    public static void main(String[] args) throws IOException {
        byte[] version = args[0].getBytes(StandardCharsets.UTF_8);
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/version", request -> {
            try (request) {
                request.sendResponseHeaders(200, version.length);
                request.getResponseBody().write(version);
            }
        });
        server.start();
        System.out.println(server.getAddress().getPort());
        System.in.readAllBytes();
        System.exit(0);
    }
}

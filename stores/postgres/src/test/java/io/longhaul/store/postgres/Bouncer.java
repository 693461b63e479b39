// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The PgBouncer of this machine in front of a database: each transaction has any connection. */
final class Bouncer implements AutoCloseable {

    /** Beside those of the PATH, where Debian has it. */
    private static final String OF_ADMINISTRATORS = "/usr/sbin";

    private final Process process;
    private final int port;

    private Bouncer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static boolean isInstalled() {
        boolean is = find().isPresent();
        if (!is) {
            System.err.println(
                    "postgresql: no PgBouncer on the PATH, stores behind it are not tested: install pgbouncer");
        }
        return is;
    }

    private static Optional<Path> find() {
        return Stream.concat(Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of(OF_ADMINISTRATORS))
                .map(folder -> Path.of(folder, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts it in front of the database at a port of this machine. */
    static Bouncer before(int database) throws IOException {
        int port = freePort();
        var file = Files.createTempFile("pgbouncer", ".ini");
        // It does not run as root, and has to read the file as whom it runs.
        boolean isRoot = "root".equals(System.getProperty("user.name"));
        Files.writeString(file, """
                [databases]
                postgres = host=127.0.0.1 port=%d user=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                ignore_startup_parameters = extra_float_digits, search_path
                %s
                """.formatted(database, port, isRoot ? "user = nobody" : ""));
        file.toFile().setReadable(true, false);
        file.toFile().deleteOnExit();
        var process = new ProcessBuilder(List.of(find().orElseThrow().toString(), file.toString()))
                .redirectErrorStream(true)
                .start();
        var lines = process.inputReader();
        var said = new StringBuilder();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            said.append(line).append('\n');
            if (line.contains("process up")) {
                Thread.ofVirtual().start(() -> lines.lines().forEach(more -> {}));
                return new Bouncer(process, port);
            }
        }
        throw new IOException("PgBouncer did not start:\n" + said);
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of the database behind it, with a schema, as docs/DATABASE.md has it. */
    String url(String schema) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&prepareThreshold=0&currentSchema="
                + schema;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}

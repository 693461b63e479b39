// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * A small system that builds Java software, for {@code examples/yaml/ci-builds.yaml}: a build is queued, fetches a
 * branch of a git repository, compiles it, runs its classes that end with {@code Test}, and packs a jar. A folder keeps
 * the builds: after a kill and a restart, each build goes on with its present step. The program needs only git and the
 * JDK: {@code java CiServer.java [PORT [FOLDER]]}.
 */
public final class CiServer {
    private static final List<String> STEPS = List.of("fetch", "compile", "test", "package");
    private static final Pattern BUILD = Pattern.compile("/api/builds/(\\d+)(/log)?");
    private static final int USUAL_PORT = 9100;
    private static final int WORKERS = 2;

    private final Path folder;
    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    private final Map<Integer, Build> builds = new TreeMap<>();
    private final Map<String, Integer> keys = new TreeMap<>();

    private CiServer(Path folder) {
        this.folder = folder;
    }

    /** Serves until the process is stopped, and prints the address. */
    public static void main(String... args) throws IOException {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : USUAL_PORT;
        var builds = new CiServer(Files.createDirectories(Path.of(args.length > 1 ? args[1] : "ci-builds")));
        builds.goOn();
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/api/builds", builds::serve);
        server.start();
        System.out.println("builds at http://127.0.0.1:" + server.getAddress().getPort() + "/api/builds");
    }

    /** Reads the builds of an earlier process, and continues those that have not ended. */
    private synchronized void goOn() throws IOException {
        for (int id = 1; Files.exists(folder.resolve(String.valueOf(id))); id++) {
            add(id, new Build(folder.resolve(String.valueOf(id))));
        }
    }

    private void add(int id, Build build) throws IOException {
        builds.put(id, build);
        keys.put(build.request().get(2), id);
        workers.execute(build::run);
    }

    private synchronized void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            var named = BUILD.matcher(path);
            var build = named.matches() ? builds.get(Integer.parseInt(named.group(1))) : null;
            if (path.equals("/api/builds") && exchange.getRequestMethod().equals("POST")) {
                int id = start(body, exchange.getRequestHeaders().getFirst("Idempotency-Key"));
                answer(exchange, 201, "{\"id\": " + id + "}");
            } else if (path.equals("/api/builds")) {
                answer(exchange, 200, "{\"count\": " + builds.size() + "}");
            } else if (build == null) {
                answer(exchange, 404, "{\"message\": \"no such build\"}");
            } else if (exchange.getRequestMethod().equals("DELETE")) {
                build.stop();
                answer(exchange, 202, "{}");
            } else if (named.group(2) != null) {
                exchange.getResponseHeaders().set("Content-Type", "text/plain");
                send(exchange, 200, build.log());
            } else {
                answer(exchange, 200, build.shown());
            }
        }
    }

    /** Starts a build, or finds the build with the same key. A new build is stored before the answer goes out. */
    private int start(String body, String key) throws IOException {
        if (key != null && keys.containsKey(key)) {
            return keys.get(key);
        }
        int id = builds.size() + 1;
        var request = List.of(field(body, "ref", "main"), field(body, "repository", "."), key == null ? "-" + id : key);
        var part = Files.createDirectories(folder.resolve("new"));
        Files.write(part.resolve("request"), request);
        var place = Files.move(part, folder.resolve(String.valueOf(id)), StandardCopyOption.ATOMIC_MOVE);
        add(id, new Build(place));
        return id;
    }

    private static String field(String json, String name, String unsaid) {
        var field = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"\\\\]*)\"").matcher(json);
        return field.find() ? field.group(1) : unsaid;
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        send(exchange, status, json);
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        var bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** One build. Its folder has its whole state: the request, a line of the log for each step, and the end. */
    private static final class Build {
        private final Path place;
        private boolean begun;
        private Process process;

        Build(Path place) {
            this.place = place;
        }

        List<String> request() throws IOException {
            return Files.readAllLines(place.resolve("request"));
        }

        String log() throws IOException {
            var log = place.resolve("log");
            return "build of " + request().getFirst() + "\n" + (Files.exists(log) ? Files.readString(log) : "");
        }

        /** The number of finished steps, from the lines of the log. */
        private int done() throws IOException {
            return Math.toIntExact(log().lines().count()) - 1;
        }

        void run() {
            synchronized (this) {
                begun = true;
            }
            try {
                for (int step = done(); step < STEPS.size() && end().isEmpty(); step++) {
                    if (!succeeds(STEPS.get(step))) {
                        end("broken");
                        return;
                    }
                    Files.writeString(
                            place.resolve("log"),
                            STEPS.get(step) + ": ok\n",
                            StandardOpenOption.CREATE,
                            StandardOpenOption.APPEND);
                }
                end("passed");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Runs a step; a killed step runs again from its start. */
        private boolean succeeds(String step) throws IOException, InterruptedException {
            var source = place.resolve("source");
            var classes = place.resolve("classes");
            return switch (step) {
                case "fetch" -> {
                    delete(source);
                    var request = request();
                    yield runs(
                            "git", "clone", "--quiet", "--branch=" + request.get(0), "--", request.get(1), "" + source);
                }
                case "compile" -> {
                    delete(classes);
                    yield uses("javac", Stream.concat(Stream.of("-d", "" + classes), files(source, ".java")));
                }
                case "test" -> {
                    var java = Path.of(System.getProperty("java.home"), "bin", "java")
                            .toString();
                    for (var file : files(classes, "Test.class").toList()) {
                        var name = classes.relativize(Path.of(file)).toString().replace(".class", "");
                        if (!runs(java, "-cp", "" + classes, name.replace(File.separatorChar, '.'))) {
                            yield false;
                        }
                    }
                    yield true;
                }
                default -> uses("jar", Stream.of("--create", "--file", place + "/app.jar", "-C", "" + classes, "."));
            };
        }

        private boolean runs(String... command) throws IOException, InterruptedException {
            Process started;
            synchronized (this) {
                if (!end().isEmpty()) {
                    return false;
                }
                started = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(place.resolve("output").toFile())
                        .start();
                process = started;
            }
            return started.waitFor() == 0;
        }

        private boolean uses(String tool, Stream<String> arguments) throws IOException {
            try (var output = new PrintStream(Files.newOutputStream(place.resolve("output")), false, UTF_8)) {
                var found = ToolProvider.findFirst(tool).orElseThrow();
                return found.run(output, output, arguments.toArray(String[]::new)) == 0;
            }
        }

        private String end() throws IOException {
            var end = place.resolve("end");
            return Files.exists(end) ? Files.readString(end) : "";
        }

        /** Ends the build. Only the first end counts. */
        private synchronized void end(String how) throws IOException {
            if (end().isEmpty()) {
                var part = Files.writeString(place.resolve("end.part"), how);
                Files.move(part, place.resolve("end"), StandardCopyOption.ATOMIC_MOVE);
            }
        }

        synchronized void stop() throws IOException {
            end("stopped");
            if (process != null) {
                process.destroyForcibly();
            }
        }

        synchronized String shown() throws IOException {
            int done = done();
            var now = done < STEPS.size() ? STEPS.get(done) : "nothing";
            var state = end().isEmpty() ? begun ? "running" : "queued" : end();
            return "{\"state\": \"" + state + "\", \"step\": \"" + now + "\", \"done\": " + done + ", \"of\": "
                    + STEPS.size() + ", \"reason\": \"the step " + now + " of "
                    + request().getFirst() + " fails\"}";
        }

        private static Stream<String> files(Path below, String ending) throws IOException {
            try (var all = Files.walk(below)) {
                return all.map(Path::toString).filter(file -> file.endsWith(ending)).sorted().toList().stream();
            }
        }

        private static void delete(Path folder) throws IOException {
            if (Files.exists(folder)) {
                var all = new ArrayList<Path>();
                try (var found = Files.walk(folder)) {
                    found.forEach(all::addFirst);
                }
                for (var file : all) {
                    Files.delete(file);
                }
            }
        }
    }
}

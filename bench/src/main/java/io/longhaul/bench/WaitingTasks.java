package io.longhaul.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many tasks can wait in one JVM of 1 GiB heap, and how soon a restart over them is ready: creates them over HTTP,
 * kills the server, starts it again, and answers one. Run it with {@code bench/waiting [TASKS]}.
 */
public final class WaitingTasks {

    private static final int CONNECTIONS = 16;
    private static final Pattern TASK_ID = Pattern.compile("\"taskId\":\"([^\"]+)\"");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private record Server(Process process, BufferedReader out, URI uri, long readyMillis) {}

    private WaitingTasks() {}

    /** @param args how many tasks; 100,000 where it is left out */
    public static void main(String[] args) throws Exception {
        new WaitingTasks().measure(args.length == 0 ? 100_000 : Integer.parseInt(args[0]));
    }

    private void measure(int tasks) throws Exception {
        Path folder = Files.createTempDirectory("longhaul-waiting");
        Path data = folder.resolve("tasks.db");
        Server server = start(data, tasks);
        long before = System.nanoTime();
        List<String> ids = create(server.uri(), tasks);
        System.out.printf("created %,d waiting tasks in %.1f s%n", ids.size(), seconds(before));
        System.out.printf("used heap after a collection: %d MiB of at most 1024%n", heap(server) >> 20);
        server.process().destroyForcibly().waitFor();

        before = System.nanoTime();
        Server again = start(data, tasks);
        String last = ids.getLast();
        String seen = post(again.uri(), "tasks/get", last, "\"taskId\":\"" + last + "\"");
        System.out.printf(
                "restarted over them: ready %.1f s after the start of the JVM, first task read after %.1f s%n",
                again.readyMillis() / 1e3, seconds(before));
        require(seen.contains("input_required"), "the task waits after the restart: " + seen);
        System.out.printf("used heap after a collection: %d MiB%n", heap(again) >> 20);
        answer(again.uri(), last);
        again.process().destroyForcibly().waitFor();
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private List<String> create(URI uri, int tasks) throws InterruptedException {
        ConcurrentLinkedQueue<String> ids = new ConcurrentLinkedQueue<>();
        Semaphore connections = new Semaphore(CONNECTIONS);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < tasks; i++) {
                connections.acquire();
                callers.submit(() -> {
                    try {
                        String created = post(uri, "tools/call", "wait", "\"name\":\"wait\",\"arguments\":{}");
                        Matcher id = TASK_ID.matcher(created);
                        require(id.find(), "a creation is answered with a task: " + created);
                        ids.add(id.group(1));
                    } finally {
                        connections.release();
                    }
                    return null;
                });
            }
        }
        require(ids.size() == tasks, "every creation is acknowledged: " + ids.size());
        return List.copyOf(ids);
    }

    private void answer(URI uri, String task) throws IOException, InterruptedException {
        String state = post(uri, "tasks/get", task, "\"taskId\":\"" + task + "\"");
        Matcher key = Pattern.compile("\"inputRequests\":\\{\"([^\"]+)\"").matcher(state);
        require(key.find(), "the task has a question: " + state);
        post(
                uri,
                "tasks/update",
                task,
                "\"taskId\":\"" + task + "\",\"inputResponses\":{\"" + key.group(1)
                        + "\":{\"action\":\"accept\",\"content\":{\"word\":\"done\"}}}");
        for (int look = 0; look < 1_000; look++) {
            if (post(uri, "tasks/get", task, "\"taskId\":\"" + task + "\"").contains("\"completed\"")) {
                System.out.println("one of them answered after the restart: completed");
                return;
            }
        }
        throw new IllegalStateException("the answered task did not complete");
    }

    private String post(URI uri, String method, String name, String params) throws IOException, InterruptedException {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{" + params
                + ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" + Wire.VERSION
                + "\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{},\"extensions\":"
                + "{\"io.modelcontextprotocol/tasks\":{}}}}}}";
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", Wire.VERSION)
                .header("Mcp-Method", method)
                .header("Mcp-Name", name)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private static Server start(Path data, int tasks) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-Dorg.slf4j.simpleLogger.log.io.longhaul.audit=warn",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WaitingServer.class.getName(),
                        data.toString(),
                        Integer.toString(tasks))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out = process.inputReader();
        String line = out.readLine();
        require(line != null, "the server starts");
        String[] words = line.split(" ");
        return new Server(process, out, URI.create(words[0]), Long.parseLong(words[1]));
    }

    private static long heap(Server server) throws IOException {
        server.process().outputWriter().append("heap\n").flush();
        return Long.parseLong(server.out().readLine());
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("not so: " + what);
        }
    }
}

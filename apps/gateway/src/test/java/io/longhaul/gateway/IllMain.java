// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/**
 * A server over standard input and output that has one illness, and notes each call of its tool {@code work} in a file
 * before anything else. It reads messages by patterns, without a library, since many of it are started.
 */
final class IllMain {

    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*(-?\\d+|\"[^\"]*\")");
    private static final Pattern METHOD = Pattern.compile("\"method\"\\s*:\\s*\"([^\"]*)\"");
    private static final Pattern KEY = Pattern.compile("\"key\"\\s*:\\s*\"([^\"]*)\"");
    private static final int HUGE = 6 * 1024 * 1024;
    private static final int CALLS_OF_A_LIFE = 3;

    private final Path notes;
    private final String illness;
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private int calls;

    private IllMain(Path notes, String illness) {
        this.notes = notes;
        this.illness = illness;
    }

    /** This server, as one that a gateway starts. */
    static Upstream upstream(Path folder, String illness) {
        return Upstream.launch(illness, command(folder, illness)).prefix(illness + "_");
    }

    static List<String> command(Path folder, String illness) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                IllMain.class.getName(),
                folder.resolve(illness).toString(),
                illness);
    }

    public static void main(String[] args) throws IOException {
        Files.writeString(Path.of(args[0] + ".starts"), "+", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (args[1].equals("dead")) {
            System.err.println("no such database");
            System.exit(3);
        }
        new IllMain(Path.of(args[0]), args[1]).run();
    }

    private void run() throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                var message = line;
                threads.submit(() -> {
                    take(message);
                    return true;
                });
            }
        }
    }

    private static String found(Pattern pattern, String message) {
        var found = pattern.matcher(message);
        return found.find() ? found.group(1) : "";
    }

    private void take(String message) throws IOException, InterruptedException {
        var id = found(ID, message);
        if (illness.equals("silent") || id.isEmpty()) {
            return;
        }
        switch (found(METHOD, message)) {
            case "initialize" ->
                answered(
                        id,
                        "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{\"listChanged\":true}},"
                                + "\"serverInfo\":{\"name\":\"ill\",\"version\":\"7\"}}");
            case "tools/list" -> answered(id, "{\"tools\":[" + tools() + "]}");
            case "tools/call" -> called(id, found(KEY, message), message.contains("\"env\""));
            case "ping" -> answered(id, "{}");
            default ->
                say("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32601,\"message\":\"unknown\"}}");
        }
    }

    private void answered(String id, String result) {
        say("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
    }

    private synchronized void say(String line) {
        if (illness.equals("noisy")) {
            out.println("Server is listening {not json");
            out.println();
        }
        out.println(line);
    }

    private String tools() throws IOException {
        var description = illness.equals("changing") && Files.exists(notes) ? "changed " + Files.size(notes) : "same";
        return "{\"name\":\"work\",\"description\":\"" + description + "\",\"inputSchema\":{\"type\":\"object\"}},"
                + "{\"name\":\"env\",\"inputSchema\":{\"type\":\"object\"}}";
    }

    private void called(String id, String key, boolean isEnv) throws IOException, InterruptedException {
        if (isEnv) {
            answer(
                    id,
                    System.getenv().keySet().stream().sorted().toList() + " in "
                            + Path.of("").toAbsolutePath() + " TOKEN=" + System.getenv("TOKEN"));
            return;
        }
        int count;
        synchronized (this) {
            count = ++calls;
            Files.writeString(notes, key + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        switch (illness) {
            case "hanging" -> new CountDownLatch(1).await();
            case "crashing" -> Runtime.getRuntime().halt(1);
            case "flapping" -> {
                if (count == CALLS_OF_A_LIFE) {
                    Runtime.getRuntime().halt(1);
                }
            }
            case "changing" -> say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
            default -> {}
        }
        answer(illness.equals("lying") ? "987654" : id, illness.equals("huge") ? "x".repeat(HUGE) : "did " + key);
    }

    private void answer(String id, String text) {
        answered(id, "{\"content\":[{\"type\":\"text\",\"text\":\"" + text.replace("\"", "'") + "\"}]}");
    }
}

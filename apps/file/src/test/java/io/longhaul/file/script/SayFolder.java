// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The folder of a task with a server that reads what its command says, and answers it by the version 1 of the lines: in
 * the files {@code steps}, {@code answers} and {@code children}. A line that breaks the schema is a failed test.
 */
final class SayFolder implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final List<String> FOLDERS = List.of("steps", "answers", "children");

    private final Path folder;
    private final Function<JsonNode, List<Answer>> server;
    private final WatchService watch;
    private final InputStream said;
    private final Thread reader = Thread.ofPlatform().unstarted(this::read);
    private final BlockingQueue<JsonNode> lines = new LinkedBlockingQueue<>();
    private volatile Throwable problem;

    /** A file that the server writes, such as {@code answers/place}, and its JSON. */
    record Answer(String file, String json) {}

    private SayFolder(Path folder, Function<JsonNode, List<Answer>> server) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.server = server;
        for (var each : FOLDERS) {
            Files.createDirectories(folder.resolve(each));
        }
        said = Files.newInputStream(Files.createFile(folder.resolve("say")));
        watch = folder.getFileSystem().newWatchService();
        folder.register(watch, StandardWatchEventKinds.ENTRY_MODIFY);
    }

    static SayFolder in(Path folder, String arguments, Function<JsonNode, List<Answer>> server) throws IOException {
        var made = new SayFolder(folder, server);
        Files.writeString(folder.resolve("arguments.json"), arguments);
        made.reader.start();
        return made;
    }

    Map<String, String> environment() {
        return Map.of(
                "LONGHAUL_TASK_DIR",
                folder.toString(),
                "LONGHAUL_SAY",
                folder.resolve("say").toString(),
                "LONGHAUL_TASK",
                "task-1");
    }

    void answer(String file, String json) throws IOException {
        var whole = Files.writeString(folder.resolve("whole"), json);
        Files.move(whole, folder.resolve(file + ".json"), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The next line that the command has said. */
    JsonNode next() throws InterruptedException {
        var line = lines.poll(20, TimeUnit.SECONDS);
        assertThat(problem).isNull();
        return line;
    }

    /** The lines that the ended command has said since the last look. */
    List<JsonNode> rest() throws InterruptedException, IOException {
        watch.close();
        reader.join();
        assertThat(problem).isNull();
        return List.copyOf(lines);
    }

    private void read() {
        var part = new ByteArrayOutputStream();
        try {
            boolean isOpen = true;
            while (isOpen) {
                isOpen = isWatched();
                for (byte each : said.readAllBytes()) {
                    if (each == '\n') {
                        hear(part.toString(StandardCharsets.UTF_8));
                        part.reset();
                    } else {
                        part.write(each);
                    }
                }
            }
            assertThat(part.size()).as("bytes of a line without its end").isZero();
        } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
            problem = e;
        }
    }

    /** Waits for a change; false when the command has ended. */
    private boolean isWatched() throws InterruptedException {
        try {
            var change = watch.poll(50, TimeUnit.MILLISECONDS);
            if (change != null) {
                change.pollEvents();
                change.reset();
            }
            return true;
        } catch (ClosedWatchServiceException e) {
            return false;
        }
    }

    private void hear(String text) throws IOException {
        assertThat(SayLinesTest.problem(text)).as(text).isEmpty();
        var line = JSON.readTree(text);
        lines.add(line);
        for (var answer : server.apply(line)) {
            answer(answer.file(), answer.json());
        }
    }

    @Override
    public void close() throws IOException {
        watch.close();
        said.close();
    }
}

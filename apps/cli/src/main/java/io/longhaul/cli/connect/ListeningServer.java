// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.connect;

import io.longhaul.cli.command.ThisProgram;
import io.longhaul.cli.command.Version;
import io.longhaul.cli.text.JsonText;
import io.longhaul.engine.store.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * A server of this user that listens over HTTP, or a node that only runs tasks. Each says so in a file of the state
 * folder, by which the other commands find it. The file of a server that was killed stays until its data folder is
 * served again.
 *
 * @param url     null for a node that only runs tasks
 * @param process of the server
 * @param begun   when the process began, which tells it from a later one with the same number
 * @param file    of the tools
 * @param data    the data folder
 */
public record ListeningServer(@Nullable String url, long process, Instant begun, Path file, Path data, String version) {
    private static final Logger LOG = LoggerFactory.getLogger(ListeningServer.class);
    private static final String ENDING = ".server";

    /** The systems tell the beginning of a process by a clock that is set meanwhile. */
    private static final Duration CLOCK = Duration.ofSeconds(10);

    /** The server of this process. */
    public static ListeningServer here(@Nullable String url, Path file, Path data) {
        var process = ProcessHandle.current();
        var begun = process.info().startInstant().orElse(Instant.EPOCH);
        return new ListeningServer(url, process.pid(), begun, file.toAbsolutePath(), data, Version.TEXT);
    }

    /** The servers of this user that have said where they are and have not ended by themselves. */
    public static List<ListeningServer> all(Map<String, String> env) {
        try (var files = Files.list(folder(env))) {
            return files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted()
                    .flatMap(file -> read(file).stream())
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** The running servers of this user that clients can call. */
    public static List<ListeningServer> running(Map<String, String> env) {
        return all(env).stream()
                .filter(ListeningServer::isAlive)
                .filter(server -> server.url != null)
                .toList();
    }

    private static Path folder(Map<String, String> env) {
        return ThisProgram.state(env).resolve("servers");
    }

    private static Optional<ListeningServer> read(Path file) {
        try {
            var said = JsonText.read(Files.readString(file));
            return Optional.of(new ListeningServer(
                    said.path("url").stringValue(null),
                    said.path("process").asLong(),
                    Instant.parse(text(said, "begun")),
                    Path.of(text(said, "file")),
                    Path.of(text(said, "data")),
                    text(said, "version")));
        } catch (IOException | RuntimeException e) {
            LOG.debug("{} tells no server", file, e);
            return Optional.empty();
        }
    }

    private static String text(JsonNode said, String name) {
        return said.path(name).asString("");
    }

    /** Whether the process of the server still runs. */
    public boolean isAlive() {
        return ProcessHandle.of(process)
                .filter(ProcessHandle::isAlive)
                .filter(now -> Duration.between(begun, now.info().startInstant().orElse(begun))
                                .abs()
                                .compareTo(CLOCK)
                        < 0)
                .isPresent();
    }

    /**
     * Says where this server is. A state folder that cannot be written is no reason not to serve.
     *
     * @param mark tells data folders apart
     * @return takes back what was said
     */
    public Runnable say(Map<String, String> env, String mark) {
        var file = folder(env).resolve(mark + ENDING);
        try {
            PrivateFiles.createFolder(file.getParent());
            PrivateFiles.createFile(file);
            Files.writeString(file, JsonText.line(json()));
        } catch (IOException e) {
            LOG.debug("commands will not find this server without its address", e);
        }
        return () -> {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                LOG.debug("{} stays", file, e);
            }
        };
    }

    private JsonNode json() {
        return JsonText.object()
                .put("url", url)
                .put("process", process)
                .put("begun", begun.toString())
                .put("file", file.toString())
                .put("data", data.toString())
                .put("version", version);
    }

    /** The server in a line, for a person who has to choose. */
    @Override
    public String toString() {
        return (url == null ? "role work" : url) + "  " + file.getFileName() + ", process " + process;
    }
}

package io.longhaul.cli.config;

import io.longhaul.receiver.PlainHosts;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of tools, read and checked.
 *
 * @param path         of the file, absolute
 * @param name         of the server
 * @param version      of the server
 * @param instructions for a model, or null
 * @param tools        in the order of the file; at least one
 * @param hosts        how calls are answered in hosts that know no tasks
 */
public record ServerFile(
        Path path,
        String name,
        String version,
        @Nullable String instructions,
        List<ToolEntry> tools,
        PlainHosts hosts) {
    public ServerFile {
        tools = List.copyOf(tools);
    }

    /**
     * Reads a file.
     *
     * @throws ConfigException where it cannot be used
     */
    public static ServerFile read(Path file) {
        return ServerFileReader.read(file);
    }
}

package io.longhaul.cli.config;

import io.longhaul.receiver.PlainHosts;
import io.longhaul.transport.http.Tls;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A file of tools, read and checked.
 *
 * @param path         of the file, absolute
 * @param name         of the server
 * @param version      of the server
 * @param instructions for a model, or null
 * @param tools        in the order of the file; at least one
 * @param callers      who they are, and how they are answered
 */
public record ServerFile(
        Path path, String name, String version, @Nullable String instructions, List<ToolEntry> tools, Callers callers) {
    public ServerFile {
        tools = List.copyOf(tools);
    }

    /**
     * What a file says of its callers.
     *
     * @param hosts how calls are answered in hosts that know no tasks
     * @param auth  how callers over HTTP are told apart; empty for not at all
     * @param tls   makes of the environment, where passwords may be, how the server shows them who it is
     * @param limits what bounds them
     */
    public record Callers(
            PlainHosts hosts,
            Optional<AuthEntry> auth,
            Optional<Function<Map<String, String>, Tls>> tls,
            Limits limits) {}

    /** How calls are answered in hosts that know no tasks. */
    public PlainHosts hosts() {
        return callers.limits().hosts(callers.hosts());
    }

    /** What bounds callers and their tasks. */
    public Limits limits() {
        return callers.limits();
    }

    /** The same with other limits. */
    public ServerFile limited(Limits limits) {
        var others = new Callers(callers.hosts(), callers.auth(), callers.tls(), limits);
        return new ServerFile(path, name, version, instructions, tools, others);
    }

    /** How callers over HTTP are told apart; empty for not at all. */
    public Optional<AuthEntry> auth() {
        return callers.auth();
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

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.file.job.ToolMaker;
import io.longhaul.file.openapi.ApiTools;
import io.longhaul.file.schedule.ScheduleEntry;
import io.longhaul.file.settings.AuthEntry;
import io.longhaul.file.settings.Limits;
import io.longhaul.file.settings.OperatorSettings;
import io.longhaul.file.settings.PortAddress;
import io.longhaul.file.settings.Recording;
import io.longhaul.file.settings.StoreAddress;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.FileSchema;
import io.longhaul.file.tree.Mistake;
import io.longhaul.file.tree.Mistakes;
import io.longhaul.file.tree.Secrets;
import io.longhaul.file.tree.Variables;
import io.longhaul.file.tree.YamlReader;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.file.webhook.NotifyEntry;
import io.longhaul.file.webhook.TriggerEntry;
import io.longhaul.file.work.Programs;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.transport.http.Http;
import io.longhaul.transport.http.Tls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A file of tools, read and checked.
 *
 * @param path         of the file, absolute
 * @param name         of the server
 * @param version      of the server
 * @param instructions for a model, or null
 * @param offer        what the file serves
 * @param callers      who may call, and how calls are answered
 */
public record ServerFile(
        Path path, String name, String version, @Nullable String instructions, Offer offer, Callers callers) {

    /**
     * What a file serves: at least one of these.
     *
     * @param tools     the tools of the file itself, in its order
     * @param upstreams other servers, in the order of the file
     * @param schedules by which tools are called without a client
     * @param triggers  by which other systems call tools
     * @param told      the recipients that are told of the ends of tasks
     */
    public record Offer(
            List<ToolEntry> tools,
            List<UpstreamEntry> upstreams,
            List<ScheduleEntry> schedules,
            List<TriggerEntry> triggers,
            List<NotifyEntry> told) {
        public Offer {
            tools = List.copyOf(tools);
            upstreams = List.copyOf(upstreams);
            schedules = List.copyOf(schedules);
            triggers = List.copyOf(triggers);
            told = List.copyOf(told);
        }
    }

    /** The tools of the file itself, in its order. */
    public List<ToolEntry> tools() {
        return offer.tools();
    }

    /**
     * Whether this server runs the tasks of a tool, by any name that the tool has had.
     *
     * @param upstream that the tool is of; empty for another tool
     */
    boolean runs(String tool, Optional<String> upstream) {
        var on = tools().stream()
                .filter(entry -> entry.label().names().isOf(tool))
                .findFirst()
                .map(entry -> entry.running().durable().slots().on())
                .or(() -> upstream.flatMap(this::labelsOf));
        return store().isEmpty() || store().get().role().runs(on.orElse(List.of()));
    }

    private Optional<List<String>> labelsOf(String upstream) {
        return upstreams().stream()
                .filter(entry -> entry.name().equals(upstream))
                .findFirst()
                .map(entry -> entry.offered().chosen().on());
    }

    public List<UpstreamEntry> upstreams() {
        return offer.upstreams();
    }

    /** The programs of other servers that this machine lacks. */
    public Stream<String> missingUpstreams() {
        return withoutProgram().map(upstream -> upstream.command().getFirst());
    }

    private Stream<UpstreamEntry> withoutProgram() {
        return upstreams().stream()
                .filter(upstream -> !upstream.command().isEmpty()
                        && !Programs.isThere(upstream.command().getFirst(), path.getParent()));
    }

    public List<ScheduleEntry> schedules() {
        return offer.schedules();
    }

    /** The triggers by which other systems call tools, in the order of the file. */
    public List<TriggerEntry> triggers() {
        return offer.triggers();
    }

    /** The recipients that are told of the ends of tasks, in the order of the file. */
    public List<NotifyEntry> told() {
        return offer.told();
    }

    /**
     * The settings of a file for its callers.
     *
     * @param hosts how calls are answered in hosts that know no tasks
     * @param auth  the authorization of callers over HTTP; empty for none
     * @param tls   makes the TLS settings from the environment, with passwords
     * @param limits the limits for callers and their tasks
     * @param operation the settings for the operator
     */
    public record Callers(
            PlainHosts hosts,
            Optional<AuthEntry> auth,
            Optional<Function<Map<String, String>, Tls>> tls,
            Limits limits,
            OperatorSettings operation) {}

    /** How calls are answered in hosts that know no tasks. */
    public PlainHosts hosts() {
        return callers.limits().hosts(callers.hosts());
    }

    /** The limits for callers and their tasks. */
    public Limits limits() {
        return callers.limits();
    }

    public ServerFile limited(Limits limits) {
        return with(new Callers(callers.hosts(), callers.auth(), callers.tls(), limits, callers.operation()));
    }

    /** The address of metrics and health; empty where they are not served. */
    public Optional<PortAddress> metrics() {
        return callers.operation().metrics();
    }

    public ServerFile measured(PortAddress metrics) {
        return with(Optional.of(metrics), console());
    }

    /** The address of the console; empty where it is not served. */
    public Optional<PortAddress> console() {
        return callers.operation().console();
    }

    public ServerFile shown(PortAddress console) {
        return with(metrics(), Optional.of(console));
    }

    private ServerFile with(Optional<PortAddress> metrics, Optional<PortAddress> console) {
        return with(new OperatorSettings(metrics, console, recording(), store(), address()));
    }

    public Recording recording() {
        return callers.operation().recording();
    }

    public ServerFile recording(Recording other) {
        return with(new OperatorSettings(metrics(), console(), other, store(), address()));
    }

    /** The database that keeps the tasks; empty for a file in the data folder. */
    public Optional<StoreAddress> store() {
        return callers.operation().store();
    }

    public ServerFile storing(StoreAddress store) {
        return with(new OperatorSettings(metrics(), console(), recording(), Optional.of(store), address()));
    }

    /** The address by which others reach the server; empty for the served address. */
    public Optional<URI> address() {
        return callers.operation().address();
    }

    private ServerFile with(OperatorSettings other) {
        return with(new Callers(callers.hosts(), callers.auth(), callers.tls(), limits(), other));
    }

    private ServerFile with(Callers others) {
        return new ServerFile(path, name, version, instructions, offer, others);
    }

    /** The authorization of callers over HTTP; empty for none. */
    public Optional<AuthEntry> auth() {
        return callers.auth();
    }

    /**
     * Adds what this file offers to a server of a program, before it starts; {@link FileTools#serve} starts it.
     *
     * <pre>{@code
     * var http = Http.onPort(8080);
     * var server = McpServer.builder("shop", "1.0").tool(mine);
     * var place = FilePlace.of(SqliteTaskStore.at(Path.of("tasks.db")), Path.of("jobs"));
     * try (var tools = ServerFile.read(Path.of("tools.yaml")).addTo(server, place, http)) {
     *     tools.serve(http).awaitEnd();
     * }
     * }</pre>
     *
     * <p>The limits of this file are those of the server, until the program sets others.
     *
     * @param http the transport of the server, at whose port triggers, callbacks and downloads are served, too
     * @throws IllegalArgumentException where no server can serve the tools, or where the file sets what the program
     *     sets, such as the callers of the server
     * @throws IOException where the folder of the place cannot be used
     */
    public FileTools addTo(McpServerBuilder server, FilePlace place, Http http) throws IOException {
        return FileTools.of(forPrograms(), server, place, Optional.of(http));
    }

    /** As the other one, for any other transport, which serves {@link FileTools#site} where it can. */
    public FileTools addTo(McpServerBuilder server, FilePlace place) throws IOException {
        return new FileTools(forPrograms(), server, place, Optional.empty(), true);
    }

    /** This file, which has no fields that only the {@code longhaul} command follows. */
    private ServerFile forPrograms() {
        var fields = new TreeMap<>(Map.of(
                "auth", auth().isPresent(),
                "tls", callers.tls().isPresent(),
                "store", store().isPresent(),
                "metrics", metrics().isPresent(),
                "console", console().isPresent(),
                "audit and log", !recording().equals(Recording.DEFAULT)));
        fields.values().removeIf(isThere -> !isThere);
        if (!fields.isEmpty()) {
            throw new IllegalArgumentException(path + " has " + String.join(", ", fields.keySet())
                    + ", which the longhaul command follows: leave it out, and set it in the program that serves it");
        }
        return this;
    }

    /**
     * Reads a file.
     *
     * @throws ConfigException where it cannot be used
     */
    public static ServerFile read(Path file) {
        return check(file, System.getenv()).usable().file();
    }

    /**
     * Reads a file whose text is elsewhere, such as in a jar.
     *
     * @param place the path that stands for the file: mistakes name it, and paths in the file are relative to it
     * @throws ConfigException where it cannot be used
     */
    public static ServerFile read(Path place, byte[] text) {
        return check(place, YamlReader.read(place, text), System.getenv())
                .usable()
                .file();
    }

    /**
     * A file that was read.
     *
     * @param fields   what is written in the file
     * @param file     not to be served where there are mistakes
     * @param mistakes in the order of the file
     * @param warnings values that are valid, but probably not what their author means
     * @param secrets  where its secrets are
     * @param documents the files of its OpenAPI documents
     */
    public record Checked(
            ServerFile file,
            JsonNode fields,
            List<Mistake> mistakes,
            List<Mistake> warnings,
            Secrets secrets,
            Set<Path> documents) {
        /** This file with other settings than those that are written in it. */
        public Checked as(ServerFile other) {
            return new Checked(other, fields, mistakes, warnings, secrets, documents);
        }

        /**
         * This file with the mistakes that only the making of its tools finds, and with warnings of what this machine
         * lacks.
         *
         * @param named the file, as mistakes name it
         */
        public Checked examined(Path named) {
            var found = mistakes.isEmpty()
                    ? file.tools().stream()
                            .flatMap(tool -> refused(named, tool))
                            .toList()
                    : mistakes;
            var warned = new ArrayList<>(warnings);
            file.tools().stream().flatMap(tool -> missing(named, tool)).forEach(warned::add);
            file.withoutProgram()
                    .map(upstream -> new Mistake(
                            named.toString(),
                            0,
                            0,
                            "upstreams." + upstream.name(),
                            missing(upstream.command().getFirst()),
                            "Install it"))
                    .forEach(warned::add);
            return new Checked(file, fields, found, warned, secrets, documents);
        }

        private static Stream<Mistake> refused(Path file, ToolEntry tool) {
            try {
                ToolMaker.check(tool);
                return Stream.empty();
            } catch (IllegalArgumentException e) {
                return Stream.of(of(file, tool, "cannot be served: " + e.getMessage(), "Correct it"));
            }
        }

        private static Stream<Mistake> missing(Path file, ToolEntry tool) {
            return tool.command().stream()
                    .filter(command -> !command.program().isEmpty() && command.isMissing())
                    .map(command -> of(file, tool, missing(command.program()), "Install it"));
        }

        private static String missing(String program) {
            return "there is no program " + program + " here";
        }

        private static Mistake of(Path file, ToolEntry tool, String problem, String fix) {
            return new Mistake(file.toString(), 0, 0, "tools." + tool.name(), problem, fix);
        }

        /**
         * This file, which can be served.
         *
         * @throws ConfigException with all mistakes, where it cannot be served
         */
        public Checked usable() {
            if (!mistakes.isEmpty()) {
                throw new ConfigException(mistakes);
            }
            return this;
        }
    }

    /**
     * Reads a file.
     *
     * @param env the variables of this process, which commands may inherit
     * @throws ConfigException where it is not YAML, or no mapping
     */
    public static Checked check(Path file, Map<String, String> env) {
        return check(file, YamlReader.read(file), env);
    }

    private static Checked check(Path file, YamlTree tree, Map<String, String> env) {
        var mistakes = new Mistakes(tree);
        FileSchema.check(tree, mistakes);
        var fields = new FileFields(tree, mistakes, env);
        Variables.check(fields);
        var documents = ApiTools.add(fields, file.toAbsolutePath().normalize().getParent());
        if (!documents.isEmpty()) {
            FileSchema.check(tree, mistakes);
        }
        var read = ServerFileReader.read(file, fields);
        var written = UpstreamReader.written(tree.root(), read.upstreams());
        return new Checked(read, written, mistakes.all(), mistakes.warnings(), fields.secrets(), documents);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.receiver.PlainHosts;
import io.longhaul.transport.http.Tls;
import java.net.URI;
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
 * @param offer        what it serves
 * @param callers      who they are, and how they are answered
 */
public record ServerFile(
        Path path, String name, String version, @Nullable String instructions, Offer offer, Callers callers) {

    /**
     * What a file serves: at least one of these.
     *
     * @param tools     that are commands, in the order of the file
     * @param upstreams other servers, in the order of the file
     * @param calls     that its tools get without a client
     * @param told      who is told of the ends of tasks
     */
    public record Offer(List<ToolEntry> tools, List<UpstreamEntry> upstreams, Calls calls, List<NotifyEntry> told) {
        public Offer {
            told = List.copyOf(told);
            tools = List.copyOf(tools);
            upstreams = List.copyOf(upstreams);
        }
    }

    /** What calls tools without a client, each in the order of the file: the clock, and other systems. */
    public record Calls(List<ScheduleEntry> schedules, List<TriggerEntry> triggers) {
        public Calls {
            schedules = List.copyOf(schedules);
            triggers = List.copyOf(triggers);
        }
    }

    /** The tools that are commands, in the order of the file. */
    public List<ToolEntry> tools() {
        return offer.tools();
    }

    /** The servers behind this one, in the order of the file. */
    public List<UpstreamEntry> upstreams() {
        return offer.upstreams();
    }

    /** What calls its tools by the clock, in the order of the file. */
    public List<ScheduleEntry> schedules() {
        return offer.calls().schedules();
    }

    /** By what other systems call its tools, in the order of the file. */
    public List<TriggerEntry> triggers() {
        return offer.calls().triggers();
    }

    /** Who is told of the ends of its tasks, in the order of the file. */
    public List<NotifyEntry> told() {
        return offer.told();
    }

    /**
     * What a file says of its callers.
     *
     * @param hosts how calls are answered in hosts that know no tasks
     * @param auth  how callers over HTTP are told apart; empty for not at all
     * @param tls   makes of the environment, where passwords may be, how the server shows them who it is
     * @param limits what bounds them
     * @param operation what those who run the server have of it
     */
    public record Callers(
            PlainHosts hosts,
            Optional<AuthEntry> auth,
            Optional<Function<Map<String, String>, Tls>> tls,
            Limits limits,
            Operation operation) {}

    /**
     * Where those who run a server look at it; each is empty for nowhere.
     *
     * @param metrics in the forms that programs read
     * @param console on pages for a browser
     */
    public record Ports(Optional<PortAddress> metrics, Optional<PortAddress> console) {}

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
        return with(new Callers(callers.hosts(), callers.auth(), callers.tls(), limits, callers.operation()));
    }

    /** Where metrics and health are served; empty for nowhere. */
    public Optional<PortAddress> metrics() {
        return callers.operation().ports().metrics();
    }

    /** The same with metrics and health served there. */
    public ServerFile measured(PortAddress metrics) {
        return looked(new Ports(Optional.of(metrics), console()));
    }

    /** Where the console is served; empty for nowhere. */
    public Optional<PortAddress> console() {
        return callers.operation().ports().console();
    }

    /** The same with a console there. */
    public ServerFile shown(PortAddress console) {
        return looked(new Ports(metrics(), Optional.of(console)));
    }

    private ServerFile looked(Ports ports) {
        return with(new Operation(ports, recording(), store(), address()));
    }

    /** What the server writes down for those who run it. */
    public Recording recording() {
        return callers.operation().recording();
    }

    /** The same that writes this down. */
    public ServerFile recording(Recording other) {
        return with(new Operation(callers.operation().ports(), other, store(), address()));
    }

    /** The database that keeps the tasks; empty for a file in the data folder. */
    public Optional<StoreAddress> store() {
        return callers.operation().store();
    }

    /** The same with its tasks in that database. */
    public ServerFile storing(StoreAddress store) {
        return with(new Operation(callers.operation().ports(), recording(), Optional.of(store), address()));
    }

    /** By which address others reach the server; empty for that which is served. */
    public Optional<URI> address() {
        return callers.operation().address();
    }

    private ServerFile with(Operation other) {
        return with(new Callers(callers.hosts(), callers.auth(), callers.tls(), limits(), other));
    }

    private ServerFile with(Callers others) {
        return new ServerFile(path, name, version, instructions, offer, others);
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
        return check(file, System.getenv()).file();
    }

    /**
     * A file that was read.
     *
     * @param warnings what hardly means what its author wants
     */
    public record Checked(ServerFile file, List<Mistake> warnings) {}

    /**
     * Reads a file.
     *
     * @param env the variables of this process, which commands may inherit
     * @throws ConfigException with all mistakes, where it cannot be used
     */
    public static Checked check(Path file, Map<String, String> env) {
        var tree = YamlReader.read(file);
        var mistakes = new Mistakes(tree);
        FileSchema.check(tree, mistakes);
        var read = ServerFileReader.read(file, new FileFields(tree, mistakes, env));
        mistakes.refuse();
        return new Checked(read, mistakes.warnings());
    }
}

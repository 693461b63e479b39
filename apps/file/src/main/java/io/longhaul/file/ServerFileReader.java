// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.engine.run.Rate;
import io.longhaul.file.ServerFile.Callers;
import io.longhaul.file.ServerFile.Offer;
import io.longhaul.file.schedule.DueTimes;
import io.longhaul.file.schedule.ScheduleEntry;
import io.longhaul.file.secret.FieldSecret;
import io.longhaul.file.secret.HeaderSecret;
import io.longhaul.file.secret.SecretSource;
import io.longhaul.file.secret.SigningSecrets;
import io.longhaul.file.settings.AuthEntry;
import io.longhaul.file.settings.Limits;
import io.longhaul.file.settings.OperatorSettings;
import io.longhaul.file.settings.PortAddress;
import io.longhaul.file.settings.Recording;
import io.longhaul.file.settings.StoreAddress;
import io.longhaul.file.settings.TlsFiles;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.tool.ToolNames;
import io.longhaul.file.tool.ToolReader;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.file.webhook.NotifyEntry;
import io.longhaul.file.webhook.TriggerEntry;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.PlainHosts.Companions;
import io.longhaul.receiver.PlainHosts.Host;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Reads the whole file. */
final class ServerFileReader {
    private static final Map<Class<?>, Binder.Kind<?>> KINDS = Map.ofEntries(
            Map.entry(Level.class, Recording.LEVEL),
            Map.entry(PortAddress.class, PortAddress.KIND),
            Map.entry(URI.class, NotifyEntry.ADDRESS),
            Map.entry(ZoneId.class, DueTimes.ZONE),
            Map.entry(Charset.class, ToolEntry.ENCODING),
            Map.entry(FieldSecret.class, FieldSecret.KIND),
            Map.entry(HeaderSecret.class, HeaderSecret.KIND),
            Map.entry(ToolEntry.Repetition.class, ToolEntry.RETRY),
            Map.entry(SecretSource.class, SecretSource.KIND),
            Map.entry(SigningSecrets.class, SigningSecrets.KIND),
            Map.entry(Rate.class, ToolEntry.RATE));

    private final Path path;
    private final FileFields file;
    private final Binder in;

    private ServerFileReader(Path path, FileFields file) {
        this.path = path;
        this.file = file;
        this.in = new Binder(file, path.getParent(), KINDS);
    }

    /** Reads a file and collects its mistakes. The value for a file with mistakes must not be used. */
    static ServerFile read(Path path, FileFields file) {
        return new ServerFileReader(path.toAbsolutePath().normalize(), file).read();
    }

    /** The fields of the file itself that are single values. */
    private record Fields(
            Optional<String> name,
            Optional<String> version,
            @Nullable String instructions,
            Optional<PortAddress> metrics,
            Optional<PortAddress> console,
            Hosts plain) {}

    /** How calls are answered in hosts that know no tasks, by the names of the fields. */
    private record Hosts(
            @Nullable Duration hold, Companions companions, Optional<String> companionPrefix, Map<String, Host> hosts) {

        PlainHosts settings() {
            var usual = PlainHosts.DEFAULT;
            return new PlainHosts(
                    hold == null ? usual.hold() : hold,
                    usual.joined(),
                    companions,
                    companionPrefix.orElse(usual.prefix()),
                    hosts);
        }
    }

    private ServerFile read() {
        var limits = Limits.read(file);
        var fields = in.read(Fields.class);
        return new ServerFile(
                path,
                fields.name().orElseGet(this::defaultName),
                fields.version().orElse("1.0"),
                fields.instructions(),
                offer(limits),
                new Callers(
                        fields.plain().settings(),
                        AuthEntry.read(in, path),
                        TlsFiles.read(in),
                        limits,
                        new OperatorSettings(
                                fields.metrics(),
                                fields.console(),
                                Recording.read(in),
                                StoreAddress.read(in),
                                address())));
    }

    private Optional<URI> address() {
        return Optional.ofNullable(file.parsed(
                "/address", "an address", ServerFileReader::address, "Write one such as https://tools.example.com"));
    }

    /** An address without a query, because paths are appended to it. */
    private static Optional<URI> address(String text) {
        return FileFields.address(text).filter(uri -> uri.getRawQuery() == null);
    }

    /** The tools and upstreams; a file needs at least one. */
    private Offer offer(Limits limits) {
        if (!file.has("/tools") && !file.has("/upstreams") && !file.has("/openapi")) {
            file.lacks("", "has no tools", "Add it, such as tools: {\"list\":{\"command\":[\"ls\",\"-l\"]}}");
        }
        var tools = tools(limits);
        var names = new ToolNames(file, tools);
        return new Offer(
                tools,
                UpstreamReader.read(in, path),
                ScheduleEntry.read(in, names),
                TriggerEntry.read(in, names, limits),
                NotifyEntry.read(in, names));
    }

    /** The tools: a list of tools with names, or an object whose fields have the names of the tools. */
    private List<ToolEntry> tools(Limits limits) {
        var tools = new ArrayList<ToolEntry>();
        var node = file.node("/tools");
        for (var name : node.propertyNames()) {
            ToolReader.read(in, YamlTree.below("/tools", name), name, limits).ifPresent(tools::add);
        }
        var seen = new HashMap<String, String>();
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            var at = "/tools/" + i;
            ToolReader.read(in, at, null, limits).ifPresent(tool -> {
                tools.add(tool);
                var other = seen.putIfAbsent(tool.name(), "tools[" + at.substring("/tools/".length()) + "]");
                if (other != null) {
                    var problem = FileFields.quote(tool.name()) + " is the name of " + other + " too";
                    file.wrong(at + "/name", problem, "Rename one of them");
                }
            });
        }
        return tools;
    }

    private String defaultName() {
        var name = path.getFileName().toString().replaceFirst("\\.ya?ml$", "").replaceAll("[^A-Za-z0-9_.-]", "-");
        return name.isEmpty() ? "longhaul" : name;
    }
}

package io.longhaul.cli.config;

import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.PlainHosts.Companions;
import io.longhaul.receiver.PlainHosts.Host;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the whole file. */
final class ServerFileReader {
    static final Set<String> FIELDS = Set.of(
            "name",
            "version",
            "instructions",
            "tools",
            "hold",
            "hosts",
            "companions",
            "companionPrefix",
            "auth",
            "tls",
            "limits",
            "metrics",
            "audit",
            "log");

    private ServerFileReader() {}

    static ServerFile read(Path file) {
        var path = file.toAbsolutePath().normalize();
        var root = YamlFile.read(file);
        var fields = root.fields(FIELDS);
        var tools = fields.get("tools");
        if (tools == null) {
            throw root.bad("the file has no tools", "Add a list of them below \"tools:\"");
        }
        var version = fields.get("version");
        var instructions = fields.get("instructions");
        var name = fields.get("name");
        var limits = LimitsReader.read(fields.get("limits"));
        return new ServerFile(
                path,
                name == null ? defaultName(path) : ToolReader.name(name, name.text()),
                version == null ? "1.0" : version.text(),
                instructions == null ? null : instructions.text(),
                tools(tools, new ToolReader.Given(path.getParent(), limits)),
                new ServerFile.Callers(
                        hosts(fields),
                        Optional.ofNullable(fields.get("auth")).map(auth -> AuthReader.read(auth, path)),
                        Optional.ofNullable(fields.get("tls")).map(tls -> TlsReader.read(tls, path.getParent())),
                        limits,
                        Optional.ofNullable(fields.get("metrics")).map(ServerFileReader::metrics),
                        RecordingReader.read(fields.get("audit"), fields.get("log"), path.getParent())));
    }

    private static MetricsAddress metrics(Entry entry) {
        var text = entry.text();
        return MetricsAddress.parse(text)
                .orElseThrow(() -> entry.bad(Entry.quote(text) + " is no port", MetricsAddress.ADVICE));
    }

    private static PlainHosts hosts(Map<String, Entry> fields) {
        var hosts = PlainHosts.DEFAULT;
        var hold = fields.get("hold");
        if (hold != null) {
            hosts = hosts.holding(hold.duration());
        }
        var tools = fields.get("companions");
        var prefix = fields.get("companionPrefix");
        if (tools != null || prefix != null) {
            hosts = hosts.companions(
                    tools == null ? hosts.companions() : tools.oneOf(Companions.class, "four, one or none"),
                    prefix == null ? hosts.prefix() : ToolReader.name(prefix, prefix.text()));
        }
        var named = fields.get("hosts");
        if (named != null) {
            for (var entry : named.fields().entrySet()) {
                hosts = hosts.with(entry.getKey(), host(entry.getValue()));
            }
        }
        return hosts;
    }

    private static Host host(Entry entry) {
        var fields = entry.fields(Set.of("hold", "waitsOnProgress"));
        var hold = fields.get("hold");
        var waits = fields.get("waitsOnProgress");
        return new Host(hold == null ? null : hold.duration(), waits != null && waits.bool());
    }

    /** Tools are a list, each with its name, or fields whose names are those of the tools. */
    private static List<ToolEntry> tools(Entry entry, ToolReader.Given given) {
        if (entry.isNull()) {
            return notEmpty(entry, List.of());
        }
        if (entry.isMapping()) {
            return notEmpty(
                    entry,
                    entry.fields().entrySet().stream()
                            .map(tool -> ToolReader.read(tool.getValue(), tool.getKey(), given))
                            .toList());
        }
        var seen = new HashMap<String, String>();
        var tools = new ArrayList<ToolEntry>();
        for (var item : entry.items()) {
            var tool = ToolReader.read(item, null, given);
            var other = seen.put(tool.name(), item.path());
            if (other != null) {
                throw item.fields()
                        .get("name")
                        .bad(Entry.quote(tool.name()) + " is the name of " + other + " too", "Rename one of them");
            }
            tools.add(tool);
        }
        return notEmpty(entry, tools);
    }

    private static List<ToolEntry> notEmpty(Entry entry, List<ToolEntry> tools) {
        if (tools.isEmpty()) {
            throw entry.bad("is empty", "List at least one tool");
        }
        return tools;
    }

    private static String defaultName(Path path) {
        var name = path.getFileName().toString().replaceFirst("\\.ya?ml$", "").replaceAll("[^A-Za-z0-9_.-]", "-");
        return name.isEmpty() ? "longhaul" : name;
    }
}

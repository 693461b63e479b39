// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.file.ServerFile.Callers;
import io.longhaul.file.ServerFile.Offer;
import io.longhaul.file.schedule.ScheduleReader;
import io.longhaul.file.settings.AuthReader;
import io.longhaul.file.settings.LimitsReader;
import io.longhaul.file.settings.OperatorSettings;
import io.longhaul.file.settings.PortAddress;
import io.longhaul.file.settings.RecordingReader;
import io.longhaul.file.settings.StoreReader;
import io.longhaul.file.settings.TlsReader;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.tool.ToolReader;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.file.webhook.NotifyReader;
import io.longhaul.file.webhook.TriggerReader;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.PlainHosts.Host;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** Reads the whole file. */
final class ServerFileReader {
    private final Path path;
    private final FileFields file;

    private ServerFileReader(Path path, FileFields file) {
        this.path = path;
        this.file = file;
    }

    /** Reads a file and collects its mistakes. The value for a file with mistakes must not be used. */
    static ServerFile read(Path path, FileFields file) {
        return new ServerFileReader(path.toAbsolutePath().normalize(), file).read();
    }

    private ServerFile read() {
        var limits = LimitsReader.read(file);
        var folder = path.getParent();
        return new ServerFile(
                path,
                file.text("/name", defaultName()),
                file.text("/version", "1.0"),
                file.text("/instructions"),
                offer(new ToolReader.Given(folder, limits)),
                new Callers(
                        hosts(),
                        file.has("/auth") ? Optional.of(AuthReader.read(file, path)) : Optional.empty(),
                        file.has("/tls") ? TlsReader.read(file, folder) : Optional.empty(),
                        limits,
                        new OperatorSettings(
                                port("/metrics"),
                                port("/console"),
                                RecordingReader.read(file, folder),
                                StoreReader.read(file, folder),
                                address())));
    }

    private Optional<PortAddress> port(String at) {
        return Optional.ofNullable(file.parsed(at, "a port", PortAddress::parse, PortAddress.ADVICE));
    }

    private Optional<URI> address() {
        return Optional.ofNullable(file.parsed(
                "/address", "an address", ServerFileReader::address, "Write one such as https://tools.example.com"));
    }

    /** An address without a query, because paths are appended to it. */
    private static Optional<URI> address(String text) {
        return FileFields.address(text).filter(uri -> uri.getRawQuery() == null);
    }

    private PlainHosts hosts() {
        var hosts = PlainHosts.DEFAULT;
        var hold = file.duration("/hold");
        if (hold != null) {
            hosts = hosts.holding(hold);
        }
        hosts = hosts.companions(
                file.choice("/companions", hosts.companions()), file.text("/companionPrefix", hosts.prefix()));
        for (var name : file.node("/hosts").propertyNames()) {
            var at = YamlTree.below("/hosts", name);
            hosts = hosts.with(name, new Host(file.duration(at + "/hold"), file.flag(at + "/waitsOnProgress")));
        }
        return hosts;
    }

    /** The tools and upstreams; a file needs at least one. */
    private Offer offer(ToolReader.Given given) {
        if (!file.has("/tools") && !file.has("/upstreams")) {
            file.lacks("", "has no tools", "Add it, such as tools: {\"list\":{\"command\":[\"ls\",\"-l\"]}}");
        }
        var tools = tools(given);
        return new Offer(
                tools,
                UpstreamReader.read(file, given.base()),
                ScheduleReader.read(file, tools),
                new TriggerReader(file, tools, given).read(),
                new NotifyReader(file, tools, given.base()).read());
    }

    /** The tools: a list of tools with names, or an object whose fields have the names of the tools. */
    private List<ToolEntry> tools(ToolReader.Given given) {
        var tools = new ArrayList<ToolEntry>();
        var node = file.node("/tools");
        tools.addAll(file.members("/tools", (at, name) -> ToolReader.read(file, at, name, given)));
        var seen = new HashMap<String, String>();
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            var at = "/tools/" + i;
            ToolReader.read(file, at, null, given).ifPresent(tool -> {
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

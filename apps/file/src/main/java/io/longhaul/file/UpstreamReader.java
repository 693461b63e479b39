// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.engine.run.Template;
import io.longhaul.file.HostServers.LeftOut;
import io.longhaul.file.UpstreamEntry.Limits;
import io.longhaul.file.UpstreamEntry.Offered;
import io.longhaul.file.UpstreamEntry.Reached;
import io.longhaul.file.rights.RightsEntry;
import io.longhaul.file.text.SimilarWord;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.Mistake;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.file.work.ShellWords;
import io.longhaul.protocol.call.CallerInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads {@code upstreams:} of a file: its own servers, and those of the host's file that it names. */
final class UpstreamReader {
    private static final String AT = "/upstreams";
    private static final String FILE = AT + "/file";
    private static final HostServers NONE = new HostServers(Map.of(), Map.of(), Set.of());

    /** The fields that only a server has that is started. */
    private static final List<String> OF_STARTED = List.of("env", "inherit", "cwd", "idle");

    /** Headers that the connection sets. */
    private static final Set<String> OF_CONNECTION =
            Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade");

    private final Binder in;
    private final FileFields file;
    private final Path path;

    /** The fields of one server. */
    private record Fields(@Binder.Key String name, Reached reached, Offered offered, Limits limits) {}

    private UpstreamReader(Binder in, Path path) {
        this.in = in;
        this.file = in.file();
        this.path = path;
    }

    static List<UpstreamEntry> read(Binder in, Path path) {
        return new UpstreamReader(in, path).read();
    }

    /**
     * What is written of the servers, with what the host's file says, so that each change there is one here; and the
     * tools of documents in place of the documents.
     */
    static JsonNode written(JsonNode root, List<UpstreamEntry> entries) {
        var whole = ((ObjectNode) root.deepCopy()).without("openapi");
        entries.stream().filter(entry -> entry.host() != null).forEach(entry -> {
            var servers = whole.withObjectProperty("upstreams");
            var own = servers.path(entry.name());
            servers.putObject(entry.name()).set("host", entry.host()).set("own", own.isMissingNode() ? null : own);
        });
        return whole;
    }

    private List<UpstreamEntry> read() {
        boolean isOfHost = file.node(FILE).isString();
        var hosted = isOfHost ? hosted() : NONE;
        var all = new LinkedHashMap<String, UpstreamEntry>();
        for (var name : file.node(AT).propertyNames()) {
            if (isOfHost && name.equals("file")) {
                hosted.entries().forEach(all::putIfAbsent);
            } else {
                var fields = in.read(YamlTree.below(AT, name), name, "upstream", Fields.class);
                read(fields, hosted).ifPresent(entry -> all.put(name, entry));
            }
        }
        return List.copyOf(all.values());
    }

    private HostServers hosted() {
        var place = in.base().resolve(file.text(FILE, "")).normalize();
        try {
            var servers = HostServers.read(place, path, file::variable);
            boolean isNeeded = !file.has("/tools")
                    && file.node(AT).propertyNames().stream().noneMatch(name -> hasAddress(YamlTree.below(AT, name)));
            if (isNeeded && servers.entries().isEmpty()) {
                file.mistakes().add(none(place, servers.leftOut()));
            } else {
                servers.leftOut()
                        .forEach((name, why) -> file.mistakes()
                                .addWarning(Mistake.of(
                                        place.toString(),
                                        "has the server " + FileFields.quote(name) + ", which is left out: "
                                                + why.problem(),
                                        why.fix())));
            }
            return servers;
        } catch (IOException e) {
            file.wrong(FILE, place + " cannot be read", "Name a file that is there");
        } catch (JacksonException e) {
            var at = e.getLocation();
            int line = at == null ? 0 : at.getLineNr();
            int column = at == null ? 0 : at.getColumnNr();
            var problem = "is no JSON: " + HostServers.reason(e);
            file.mistakes().add(new Mistake(place.toString(), line, column, "", problem, "Mend it"));
        } catch (IllegalArgumentException e) {
            var problem = "is no file of a host: " + e.getMessage();
            file.mistakes().add(Mistake.of(place.toString(), problem, "Name one with mcpServers"));
        }
        // An entry may be of a server in that file: the entry is not judged without the file.
        return new HostServers(Map.of(), Map.of(), Set.copyOf(file.node(AT).propertyNames()));
    }

    private boolean hasAddress(String at) {
        return file.has(at + "/url") || file.has(at + "/command");
    }

    /** A file of a host without servers, beside which nothing else is offered. */
    private static Mistake none(Path place, Map<String, LeftOut> leftOut) {
        if (leftOut.isEmpty()) {
            return Mistake.of(place.toString(), "has no server that is on", "Add one, or switch one on");
        }
        var all = leftOut.entrySet().stream()
                .map(one ->
                        FileFields.quote(one.getKey()) + ": " + one.getValue().problem())
                .collect(Collectors.joining("; "));
        var fix = leftOut.size() == 1 ? leftOut.values().iterator().next().fix() : "Mend one of them";
        return Mistake.of(place.toString(), "has no server that can be served: " + all, fix);
    }

    private Optional<UpstreamEntry> read(Fields fields, HostServers hosted) {
        var at = YamlTree.below(AT, fields.name());
        if (hosted.named().contains(fields.name()) && !hasAddress(at)) {
            var host = hosted.entries().get(fields.name());
            if (host == null) {
                return Optional.empty();
            }
            Stream.concat(OF_STARTED.stream(), Stream.of("headers"))
                    .map(field -> at + "/" + field)
                    .filter(file::has)
                    .forEach(place -> file.wrong(place, "is said in the host's file", "Write it there"));
            var reached = host.reached().with(fields.reached().auth());
            if (reached.url() == null) {
                refuseStarted(at);
            } else {
                reached.auth().ifPresent(auth -> auth.check(file, at));
            }
            return Optional.of(
                    new UpstreamEntry(fields.name(), reached, fields.offered(), fields.limits(), host.host()));
        }
        var entry = new UpstreamEntry(fields.name(), fields.reached(), fields.offered(), fields.limits(), null);
        return Optional.of(entry).filter(one -> isServer(one, at));
    }

    /** Whether the fields name one server, and tells the mistakes where they do not. */
    private boolean isServer(UpstreamEntry entry, String at) {
        boolean hasUrl = file.has(at + "/url");
        if (hasUrl == file.has(at + "/command")) {
            if (hasUrl) {
                file.wrong(at, "says twice where the server is", "Leave out url: or command:");
            } else {
                var fix = "Add url: with an address, or command: with a program";
                file.lacks(at, "does not say where the server is", fix);
            }
            return false;
        }
        if (hasUrl) {
            OF_STARTED.stream()
                    .map(field -> at + "/" + field)
                    .filter(file::has)
                    .forEach(place -> file.wrong(place, "is for a server that is started", "Leave it out"));
            checkRights(entry.reached(), at);
            return isAddress(entry, at + "/url");
        }
        refuseStarted(at);
        var folder = entry.reached().world().cwd();
        if (folder != null && !Files.isDirectory(folder)) {
            file.wrong(at + "/cwd", folder + " is no folder", "Name one that is there");
        }
        file.places(at + "/inherit")
                .filter(place -> !"*".equals(file.text(place)))
                .forEach(place -> file.checkVariable(place, file.text(place, "")));
        ShellWords.check(file, ShellWords.words(file, at + "/command"));
        return true;
    }

    /** Refuses the fields that only a server at an address has. */
    private void refuseStarted(String at) {
        if (file.has(at + "/headers")) {
            file.wrong(at + "/headers", "are for a server at an address", "Leave them out");
        }
        if (file.has(at + "/auth")) {
            file.wrong(at + "/auth", "is for a server at an address", "Leave it out");
        }
    }

    /** Checks the headers and the authorization of requests. */
    private void checkRights(Reached reached, String at) {
        reached.sent().texts().forEach((name, text) -> checkHeader(YamlTree.below(at + "/headers", name), text));
        file.node(at + "/headers").propertyNames().stream()
                .filter(name -> OF_CONNECTION.contains(name.toLowerCase(Locale.ROOT)))
                .forEach(name -> file.wrongName(
                        YamlTree.below(at + "/headers", name), "is no header that can be set", "Use another one"));
        reached.auth().ifPresent(auth -> auth.check(file, at));
    }

    private void checkHeader(String place, String text) {
        var slots = Template.parse(text).slots();
        if (slots.stream().anyMatch(CallerInfo.VALUES::contains)) {
            RightsEntry.warnWithoutCallers(file, place);
        }
        slots.stream()
                .filter(slot -> !CallerInfo.VALUES.contains(slot))
                .forEach(slot -> file.wrong(
                        place,
                        "{" + slot + "} is nothing that is known of a caller",
                        SimilarWord.advice(slot, CallerInfo.VALUES) + " Write {{" + slot
                                + "}} where the braces are meant as such"));
    }

    private boolean isAddress(UpstreamEntry entry, String at) {
        try {
            entry.upstream();
            return true;
        } catch (IllegalArgumentException e) {
            file.wrong(at, "is no address", "Write one such as http://127.0.0.1:9000/mcp");
            return false;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.file.secret.SentHeaders;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.file.work.ShellWords;
import io.longhaul.gateway.Upstream;
import io.longhaul.protocol.dialect.Generation;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A server behind this one.
 *
 * @param name    by which the file names the server
 * @param url     null for a server that is started
 * @param command the command to start; empty for a server at an address
 * @param sent    the headers of each request
 */
public record UpstreamEntry(
        @Binder.Key String name, @Nullable String url, List<String> command, Offered offered, SentHeaders sent) {

    /** How the tools of the server are offered, by the names of the fields. */
    public record Offered(
            @Nullable String prefix,
            @Nullable String generation,
            @Binder.Named("long") List<String> longTools,
            @Binder.Named("quick") List<String> quickTools) {}

    /** Reads {@code upstreams:} of a file. */
    static List<UpstreamEntry> read(Binder in) {
        return in.members("upstreams", UpstreamEntry.class).values().stream()
                .filter(entry -> entry.isServer(in.file(), YamlTree.below("/upstreams", entry.name())))
                .toList();
    }

    /** Whether the fields name one server, and tells the mistakes where they do not. */
    private boolean isServer(FileFields file, String at) {
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
            return isAddress(file, at + "/url");
        }
        if (file.has(at + "/headers")) {
            file.wrong(at + "/headers", "are for a server at an address", "Leave them out");
        }
        ShellWords.check(file, ShellWords.words(file, at + "/command"));
        return true;
    }

    private boolean isAddress(FileFields file, String at) {
        try {
            upstream();
            return true;
        } catch (IllegalArgumentException e) {
            file.wrong(at, "is no address", "Write one such as http://127.0.0.1:9000/mcp");
            return false;
        }
    }

    private Upstream upstream() {
        var upstream = url == null ? Upstream.launch(name, command) : Upstream.at(name, URI.create(url));
        var generation = Optional.ofNullable(offered.generation()).flatMap(Generation::named);
        var spoken = generation.map(upstream::generation).orElse(upstream);
        return (offered.prefix() == null ? spoken : spoken.prefix(offered.prefix()))
                .longTools(offered.longTools().toArray(String[]::new))
                .quickTools(offered.quickTools().toArray(String[]::new));
    }

    /**
     * The upstream of a gateway.
     *
     * @param env the environment, with secrets
     */
    Upstream made(Map<String, String> env) {
        var made = upstream();
        for (var header : sent.texts().entrySet()) {
            made = made.header(header.getKey(), header.getValue());
        }
        for (var header : sent.secrets().entrySet()) {
            var secret = header.getValue().secret().apply(env);
            made = made.header(header.getKey(), () -> header.getValue().before() + secret.read());
        }
        return made;
    }
}

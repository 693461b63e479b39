// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.file.secret.HeaderSecret;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.work.ShellWords;
import io.longhaul.gateway.Upstream;
import io.longhaul.protocol.dialect.Generation;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** Reads the servers behind this one: {@code upstreams:}. */
final class UpstreamReader {
    private static final String AT = "/upstreams";

    private final FileFields file;
    private final Path base;

    private UpstreamReader(FileFields file, Path base) {
        this.file = file;
        this.base = base;
    }

    /** @param base the folder of relative paths */
    static List<UpstreamEntry> read(FileFields file, Path base) {
        var reader = new UpstreamReader(file, base);
        return file.members(AT, reader::entry);
    }

    private Optional<UpstreamEntry> entry(String at, String name) {
        boolean hasUrl = file.has(at + "/url");
        boolean hasCommand = file.has(at + "/command");
        if (hasUrl == hasCommand) {
            if (hasUrl) {
                file.wrong(at, "says twice where the server is", "Leave out url: or command:");
            } else {
                var fix = "Add url: with an address, or command: with a program";
                file.lacks(at, "does not say where the server is", fix);
            }
            return Optional.empty();
        }
        if (hasCommand && file.has(at + "/headers")) {
            file.wrong(at + "/headers", "are for a server at an address", "Leave them out");
        }
        return hasCommand ? Optional.of(started(at, name)) : addressed(at, name);
    }

    private UpstreamEntry started(String at, String name) {
        ShellWords.check(
                file,
                file.places(at + "/command")
                        .map(place -> new ShellWords.Word(place, String.valueOf(file.text(place))))
                        .toList());
        var command = file.texts(at + "/command");
        var upstream = served(at, Upstream.launch(name, command));
        return new UpstreamEntry(name, Optional.of(command), env -> upstream);
    }

    private Optional<UpstreamEntry> addressed(String at, String name) {
        try {
            var upstream = served(at, Upstream.at(name, URI.create(String.valueOf(file.text(at + "/url")))));
            var headers = file.members(
                    at + "/headers", (place, header) -> value(place).map(made -> new Header(header, made)));
            return Optional.of(new UpstreamEntry(name, Optional.empty(), env -> {
                var made = upstream;
                for (var header : headers) {
                    made = made.header(header.name(), header.value().apply(env));
                }
                return made;
            }));
        } catch (IllegalArgumentException e) {
            file.wrong(at + "/url", "is no address", "Write one such as http://127.0.0.1:9000/mcp");
            return Optional.empty();
        }
    }

    private Upstream served(String at, Upstream upstream) {
        var prefix = file.text(at + "/prefix");
        var generation = Optional.ofNullable(file.text(at + "/generation")).flatMap(Generation::named);
        var spoken = generation.map(upstream::generation).orElse(upstream);
        return (prefix == null ? spoken : spoken.prefix(prefix))
                .longTools(file.texts(at + "/long").toArray(String[]::new))
                .quickTools(file.texts(at + "/quick").toArray(String[]::new));
    }

    /** @param value makes the value from the environment, with secrets */
    private record Header(String name, Function<Map<String, String>, Callable<String>> value) {}

    private Optional<Function<Map<String, String>, Callable<String>>> value(String at) {
        if (!file.node(at).isObject()) {
            var text = String.valueOf(file.text(at));
            return Optional.of(env -> () -> text);
        }
        return HeaderSecret.read(file, at, base).map(header -> env -> {
            var secret = header.secret().apply(env);
            return () -> header.before() + secret.read();
        });
    }
}

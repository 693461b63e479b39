package io.longhaul.cli.config;

import io.longhaul.transport.http.Tls;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads how a server shows over HTTP who it is. */
final class TlsReader {
    private TlsReader() {}

    /**
     * What makes it of the environment, where a password may be.
     *
     * @param base what paths are counted from
     */
    static Function<Map<String, String>, Tls> read(Entry tls, Path base) {
        var fields = tls.fields(Set.of("cert", "key", "keyStore", "passwordFile", "passwordEnv"));
        var cert = fields.get("cert");
        var key = fields.get("key");
        var store = fields.get("keyStore");
        var file = fields.get("passwordFile");
        var variable = fields.get("passwordEnv");
        boolean isPem = cert != null && key != null && store == null && file == null && variable == null;
        boolean isStore = store != null && cert == null && key == null && (file == null) != (variable == null);
        if (!isPem && !isStore) {
            throw tls.bad(
                    "does not say which key the server has",
                    "Write cert: and key:, or keyStore: and one of passwordFile: and passwordEnv:");
        }
        if (cert != null && key != null) {
            return env -> made(tls, () -> Tls.pem(path(cert, base), path(key, base)));
        }
        return env -> made(tls, () -> Tls.keyStore(path(store, base), password(file, variable, base, env)));
    }

    private static Tls made(Entry tls, Supplier<Tls> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException e) {
            throw tls.bad("cannot be used: " + e.getMessage(), "Correct it, or leave it out");
        }
    }

    private static Path path(@Nullable Entry entry, Path base) {
        return base.resolve(entry == null ? "" : entry.text()).normalize();
    }

    private static String password(@Nullable Entry file, @Nullable Entry variable, Path base, Map<String, String> env) {
        return file == null ? Secrets.ofVariable(variable, env) : Secrets.ofFile(file, base);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import io.longhaul.file.secret.FieldSecret;
import io.longhaul.file.secret.PrivateFile;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.file.tree.FileFields;
import io.longhaul.transport.http.Tls;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads the TLS settings of a server over HTTP: {@code tls:}. */
public final class TlsReader {
    private static final String AT = "/tls";

    private TlsReader() {}

    /**
     * A function that makes the TLS settings from the environment, with a password; empty on a mistake.
     *
     * @param base the folder of relative paths
     */
    public static Optional<Function<Map<String, String>, Tls>> read(FileFields file, Path base) {
        var cert = path(file, base, "/cert");
        var key = path(file, base, "/key");
        var store = path(file, base, "/keyStore");
        var password = new FieldSecret(file, base, AT + "/password");
        if (cert.isPresent() && key.isPresent() && store.isEmpty() && password.isAbsent()) {
            return Optional.of(env -> made(file, () -> Tls.pem(cert.get(), PrivateFile.warned(key.get()))));
        }
        if (store.isPresent() && cert.isEmpty() && key.isEmpty() && password.isNamed()) {
            return Optional.of(env -> made(file, () -> Tls.keyStore(store.get(), password.read(env))));
        }
        var fix = "Write cert: and key:, or keyStore: and one of passwordFile: and passwordEnv:";
        file.lacks(AT, "does not say which key the server has", fix);
        return Optional.empty();
    }

    private static Tls made(FileFields file, Supplier<Tls> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    file.tree().mistake(AT, "cannot be used: " + e.getMessage(), "Correct it, or leave it out"));
        }
    }

    private static Optional<Path> path(FileFields file, Path base, String field) {
        return Optional.ofNullable(file.text(AT + field))
                .map(text -> base.resolve(text).normalize());
    }
}

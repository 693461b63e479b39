// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import io.longhaul.file.secret.FieldSecret;
import io.longhaul.file.secret.PrivateFile;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.file.tree.FileFields;
import io.longhaul.transport.http.Tls;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The key of a server over HTTP, by the names of the fields of {@code tls:}. */
public record TlsFiles(Optional<Path> cert, Optional<Path> key, Optional<Path> keyStore, FieldSecret password) {
    private static final String AT = "/tls";

    /** A function that makes the TLS settings from the environment, with a password; empty on a mistake. */
    public static Optional<Function<Map<String, String>, Tls>> read(Binder in) {
        return in.file().has(AT) ? in.read(AT, "tls", TlsFiles.class).maker(in.file()) : Optional.empty();
    }

    private Optional<Function<Map<String, String>, Tls>> maker(FileFields file) {
        if (cert.isPresent() && key.isPresent() && keyStore.isEmpty() && password.isAbsent()) {
            return Optional.of(env -> made(file, () -> Tls.pem(cert.get(), PrivateFile.warned(key.get()))));
        }
        if (keyStore.isPresent() && cert.isEmpty() && key.isEmpty() && password.isNamed()) {
            return Optional.of(env -> made(file, () -> Tls.keyStore(keyStore.get(), password.read(env))));
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
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.transport.http.Tls;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the TLS settings of a server over HTTP: {@code tls:}. */
final class TlsReader {
    private static final String AT = "/tls";

    private TlsReader() {}

    /** The fields as the file has them. */
    private record Fields(
            @Nullable String cert,
            @Nullable String key,
            @Nullable String keyStore,
            @Nullable String passwordFile,
            @Nullable String passwordEnv) {

        boolean isPem() {
            return cert != null && key != null && keyStore == null && passwordFile == null && passwordEnv == null;
        }

        boolean isStore() {
            return keyStore != null && cert == null && key == null && (passwordFile == null) != (passwordEnv == null);
        }
    }

    /**
     * A function that makes the TLS settings from the environment, with a password; empty on a mistake.
     *
     * @param base the folder of relative paths
     */
    static Optional<Function<Map<String, String>, Tls>> read(FileFields file, Path base) {
        var fields = new Fields(
                file.text(AT + "/cert"),
                file.text(AT + "/key"),
                file.text(AT + "/keyStore"),
                file.text(AT + "/passwordFile"),
                file.text(AT + "/passwordEnv"));
        var secrets = new Secrets(file.tree(), base);
        if (fields.isPem()) {
            return Optional.of(env ->
                    made(file, () -> Tls.pem(path(base, fields.cert()), PrivateFile.warned(path(base, fields.key())))));
        }
        if (fields.isStore()) {
            return Optional.of(env -> made(
                    file,
                    () -> Tls.keyStore(
                            path(base, fields.keyStore()),
                            fields.passwordFile() == null
                                    ? secrets.ofVariable(AT + "/passwordEnv", fields.passwordEnv(), env)
                                    : secrets.ofFile(AT + "/passwordFile", fields.passwordFile()))));
        }
        if (!file.mistakes().isIncomplete(AT)) {
            var fix = "Write cert: and key:, or keyStore: and one of passwordFile: and passwordEnv:";
            file.mistakes().at(AT, "does not say which key the server has", fix);
        }
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

    private static Path path(Path base, @Nullable String text) {
        return base.resolve(text == null ? "" : text).normalize();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.secret;

import io.longhaul.backend.shell.SecretFile;
import io.longhaul.engine.secret.Secret;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.FileFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The place of a secret: a file that only this user can read, or a variable of the server. The secret itself is read
 * each time it is needed, so that it can be replaced while the server runs.
 *
 * @param file     null where the secret is in a variable
 * @param variable null where the secret is in a file
 */
public record SecretSource(
        @Nullable Path file, @Binder.Named("env") @Nullable String variable) {

    /** The kind of fields that can have a secret in place of a text. */
    public static final Binder.Kind<SecretSource> KIND =
            (in, place) -> in.file().node(place).isObject() ? read(in, place).orElse(null) : null;

    /** The secret in a variable; two of one variable and the same variables of the server are equal. */
    private record OfVariable(String name, Map<String, String> env) implements Secret {
        @Override
        public String read() throws IOException {
            var secret = env.getOrDefault(name, "");
            if (secret.isEmpty()) {
                throw new IOException("the variable " + name + " is not set");
            }
            return secret;
        }
    }

    /** The source that the file names below a place; empty where that is a mistake. */
    public static Optional<SecretSource> read(Binder in, String at) {
        var source = in.read(at, "signingSecret", SecretSource.class);
        if ((source.file() == null) == (source.variable() == null)) {
            in.file().lacks(at, "does not say where the secret is", "Write one of file: and env:");
            return Optional.empty();
        }
        in.file().secret(at, source.variable());
        if (source.variable() != null) {
            in.file().checkVariable(at + "/env", source.variable());
        } else if (!Files.exists(source.file()) || Files.isRegularFile(source.file())) {
            // To read a pipe may block, and uses the secret up.
            source.tryRead(in.file(), at + "/file");
        }
        return Optional.of(source);
    }

    /** Warns of a file that could not be used now. */
    private void tryRead(FileFields fields, String place) {
        try {
            new SecretFile(file).read();
        } catch (IOException e) {
            var problem = Files.isReadable(file) ? e.getMessage() : file + " cannot be read";
            fields.warn(place, String.valueOf(problem), "Write the secret there, for this user alone");
        }
    }

    /**
     * The secret.
     *
     * @param env the variables of the server
     */
    public Secret in(Map<String, String> env) {
        return file != null ? new SecretFile(file) : new OfVariable(String.valueOf(variable), env);
    }
}

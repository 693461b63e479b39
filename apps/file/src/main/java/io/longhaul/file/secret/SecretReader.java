// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.secret;

import io.longhaul.backend.shell.SecretFile;
import io.longhaul.engine.secret.Secret;
import io.longhaul.file.tree.FileFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the place of a secret: a file that only this user can read, or a variable of the server. The secret itself is
 * read each time it is needed, so that it can be replaced while the server runs.
 *
 * @param base the folder of relative paths
 */
public record SecretReader(FileFields file, Path base) {

    /** The place of a secret. Two sources of one place are equal. */
    public sealed interface Source {

        /** @throws IOException with a sentence for the operator when the secret cannot be read */
        String read(Map<String, String> env) throws IOException;
    }

    private record OfFile(SecretFile file) implements Source {
        @Override
        public String read(Map<String, String> env) throws IOException {
            return file.read();
        }
    }

    private record OfVariable(String name) implements Source {
        @Override
        public String read(Map<String, String> env) throws IOException {
            return ofVariable(name, env);
        }
    }

    /** The source that the file names below {@code place}; empty where that is a mistake. */
    public Optional<Source> read(String place) {
        var path = file.text(place + "/file");
        var variable = file.text(place + "/env");
        if ((path == null) == (variable == null)) {
            file.lacks(place, "does not say where the secret is", "Write one of file: and env:");
            return Optional.empty();
        }
        return Optional.of(path != null ? inFile(place, path) : inVariable(place, String.valueOf(variable)));
    }

    /** The secrets of a place, or of a list of places, that sign messages; made from the environment. */
    public Function<Map<String, String>, List<Secret>> signing(String at) {
        var sources = file.places(at).flatMap(place -> read(place).stream()).toList();
        return env ->
                sources.stream().map(source -> (Secret) () -> source.read(env)).toList();
    }

    private Source inFile(String place, String path) {
        return new OfFile(checked(file, place + "/file", base.resolve(path).normalize()));
    }

    /** The secret in a file, which is warned of where it could not be used now. */
    public static SecretFile checked(FileFields file, String place, Path path) {
        var secret = new SecretFile(path);
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            // To read a pipe may block, and uses the secret up.
            return secret;
        }
        try {
            secret.read();
        } catch (IOException e) {
            var problem = Files.isReadable(path) ? e.getMessage() : path + " cannot be read";
            file.warn(place, String.valueOf(problem), "Write the secret there, for this user alone");
        }
        return secret;
    }

    /**
     * The secret in a variable of the server.
     *
     * @param env the variables of the server
     * @throws IOException with a sentence for the operator, where it is not set
     */
    public static String ofVariable(String variable, Map<String, String> env) throws IOException {
        var secret = env.getOrDefault(variable, "");
        if (secret.isEmpty()) {
            throw new IOException("the variable " + variable + " is not set");
        }
        return secret;
    }

    private Source inVariable(String place, String variable) {
        file.checkVariable(place + "/env", variable);
        return new OfVariable(variable);
    }
}

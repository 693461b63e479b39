// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.backend.shell.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the place of a secret: a file that only this user can read, or a variable of the server. The secret itself is
 * read each time it is needed, so that it can be replaced while the server runs.
 *
 * @param base the folder of relative paths
 */
record SecretReader(FileFields file, Path base) {

    /** The place of a secret. Two sources of one place are equal. */
    sealed interface Source {

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
            return CommandEntry.Environment.secret(name, env);
        }
    }

    /** The source that the file names below {@code place}; empty where that is a mistake. */
    Optional<Source> read(String place) {
        var path = file.text(place + "/file");
        var variable = file.text(place + "/env");
        if ((path == null) == (variable == null)) {
            if (!file.mistakes().isIncomplete(place)) {
                file.mistakes().at(place, "does not say where the secret is", "Write one of file: and env:");
            }
            return Optional.empty();
        }
        return Optional.of(path != null ? inFile(place, path) : inVariable(place, String.valueOf(variable)));
    }

    private Source inFile(String place, String path) {
        return new OfFile(checked(file, place + "/file", base.resolve(path).normalize()));
    }

    /** The secret in a file, which is warned of where it could not be used now. */
    static SecretFile checked(FileFields file, String place, Path path) {
        var secret = new SecretFile(path);
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            // To read a pipe may block, and uses the secret up.
            return secret;
        }
        try {
            secret.read();
        } catch (IOException e) {
            var problem = Files.isReadable(path) ? e.getMessage() : path + " cannot be read";
            file.mistakes().warn(place, String.valueOf(problem), "Write the secret there, for this user alone");
        }
        return secret;
    }

    private Source inVariable(String place, String variable) {
        if (!file.isVariable(variable)) {
            var problem = "is a variable that is not set here";
            file.mistakes().warn(place + "/env", problem, "Set it where the server is started");
        }
        return new OfVariable(variable);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.backend.http.Secret;
import io.longhaul.backend.shell.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * A secret that stands in a header, in a file that this user alone can read or in a variable. It is read whenever a
 * request needs it, so that it can be replaced while the server runs.
 *
 * @param before fixed text in front of it
 * @param secret of the variables of the server
 */
record HeaderSecret(String before, Function<Map<String, String>, Secret> secret) {

    /**
     * Reads where it is; empty where the file says that wrong.
     *
     * @param base what paths are counted from
     */
    static Optional<HeaderSecret> read(FileFields file, String at, Path base) {
        var path = file.text(at + "/file");
        var variable = file.text(at + "/env");
        if ((path == null) == (variable == null)) {
            if (!file.mistakes().isIncomplete(at)) {
                file.mistakes().at(at, "does not say where the secret is", "Write one of file: and env:");
            }
            return Optional.empty();
        }
        var before = Objects.requireNonNullElse(file.text(at + "/before"), "");
        if (path != null) {
            var secret = new SecretFile(base.resolve(path).normalize());
            if (!Files.isReadable(secret.path())) {
                var problem = secret.path() + " cannot be read";
                file.mistakes().warn(at + "/file", problem, "Write the secret there, for this user alone");
            }
            return Optional.of(new HeaderSecret(before, env -> secret::read));
        }
        if (!file.isVariable(variable)) {
            file.mistakes()
                    .warn(at + "/env", "is a variable that is not set here", "Set it where the server is started");
        }
        return Optional.of(new HeaderSecret(before, env -> () -> variable(variable, env)));
    }

    private static String variable(String name, Map<String, String> env) throws IOException {
        var secret = env.getOrDefault(name, "");
        if (secret.isEmpty()) {
            throw new IOException("the variable " + name + " is not set");
        }
        return secret;
    }
}

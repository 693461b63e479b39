// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.secret;

import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.file.tree.FileFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A secret that one of two fields names: {@code passwordFile} a file, or {@code passwordEnv} a variable of the server.
 *
 * @param base the folder of relative paths
 * @param at   the place of the fields without the end of their names, such as {@code /tls/password}
 */
public record FieldSecret(FileFields file, Path base, String at) {

    /** The kind of fields with such a secret, by the beginning of their names. */
    public static final Binder.Kind<FieldSecret> KIND = (in, place) -> {
        var secret = new FieldSecret(in.file(), in.base(), place);
        secret.warn();
        return secret;
    };

    private static final String FIX = "Write the secret there, for this user alone";

    /** Warns of a file or a variable that is not there now. */
    private void warn() {
        if (file.has(at + "File") && !Files.isReadable(path())) {
            file.warn(at + "File", path() + " cannot be read", FIX);
        }
        if (file.has(at + "Env")) {
            file.checkVariable(at + "Env", file.text(at + "Env", ""));
        }
    }

    private Path path() {
        return base.resolve(file.text(at + "File", "")).normalize();
    }

    /** Whether exactly one of the fields is there. */
    public boolean isNamed() {
        return file.has(at + "File") != file.has(at + "Env");
    }

    /** Whether neither of the fields is there. */
    public boolean isAbsent() {
        return !file.has(at + "File") && !file.has(at + "Env");
    }

    /**
     * Reads the secret; from the file where both fields are there.
     *
     * @throws ConfigException where it is not there
     */
    public String read(Map<String, String> env) {
        if (file.has(at + "File")) {
            try {
                return PrivateFile.secret(path());
            } catch (IOException e) {
                throw refused("File", path() + " " + e.getMessage(), FIX);
            }
        }
        var variable = file.text(at + "Env", "");
        var secret = env.getOrDefault(variable, "");
        if (secret.isEmpty()) {
            throw refused("Env", "the variable " + variable + " is not set", "Set it where the server is started");
        }
        return secret;
    }

    private ConfigException refused(String field, String problem, String fix) {
        return new ConfigException(file.tree().mistake(at + field, problem, fix));
    }
}

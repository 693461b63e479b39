// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads secrets that a file of tools names but does not contain.
 *
 * @param base the folder of relative paths
 */
record Secrets(YamlTree tree, Path base) {

    /** @param at where the file names it */
    String ofFile(String at, String file) {
        var path = base.resolve(file).normalize();
        try {
            return PrivateFile.secret(path);
        } catch (IOException e) {
            throw new ConfigException(
                    tree.mistake(at, path + " " + e.getMessage(), "Write the secret there, for this user alone"));
        }
    }

    /** @param at where the file names it */
    String ofVariable(String at, @Nullable String variable, Map<String, String> env) {
        var secret = env.getOrDefault(variable == null ? "" : variable, "");
        if (secret.isEmpty()) {
            throw new ConfigException(
                    tree.mistake(at, "the variable " + variable + " is not set", "Set it where the server is started"));
        }
        return secret;
    }
}

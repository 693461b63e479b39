// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.secret;

import io.longhaul.engine.secret.Secret;
import io.longhaul.file.tree.FileFields;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A secret in the value of a header.
 *
 * @param before the fixed text before the secret
 * @param secret gives the secret from the variables of the server
 */
public record HeaderSecret(String before, Function<Map<String, String>, Secret> secret) {

    /**
     * Reads the place of the secret; empty where the file is wrong there.
     *
     * @param base the folder of relative paths
     */
    public static Optional<HeaderSecret> read(FileFields file, String at, Path base) {
        var before = file.text(at + "/before", "");
        return new SecretReader(file, base)
                .read(at)
                .map(source -> new HeaderSecret(before, env -> () -> source.read(env)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.backend.http.Secret;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * A secret that stands in a header.
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
        var before = Objects.requireNonNullElse(file.text(at + "/before"), "");
        return new SecretReader(file, base)
                .read(at)
                .map(source -> new HeaderSecret(before, env -> () -> source.read(env)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.backend.http.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reads {@code secret:} of a recipient or a trigger, whose messages are signed. */
final class SigningSecretReader {

    private SigningSecretReader() {}

    /**
     * One secret, or a list of them.
     *
     * @param base the folder of relative paths
     */
    static Function<Map<String, String>, List<Secret>> read(FileFields file, String at, Path base) {
        var reader = new SecretReader(file, base);
        var sources =
                file.places(at).flatMap(place -> reader.read(place).stream()).toList();
        return env ->
                sources.stream().map(source -> (Secret) () -> source.read(env)).toList();
    }
}

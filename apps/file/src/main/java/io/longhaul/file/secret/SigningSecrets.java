// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.secret;

import io.longhaul.engine.secret.Secret;
import io.longhaul.file.tree.Binder;
import java.util.List;
import java.util.Map;

/** The secrets that sign messages. */
@FunctionalInterface
public interface SigningSecrets {

    /** The kind of fields with one place of a secret, or a list of them. */
    Binder.Kind<SigningSecrets> KIND = (in, at) -> {
        var sources = in.file()
                .places(at)
                .flatMap(place -> SecretSource.read(in, place).stream())
                .toList();
        return env -> sources.stream().map(source -> source.in(env)).toList();
    };

    /** @param env the environment, with secrets */
    List<Secret> apply(Map<String, String> env);
}

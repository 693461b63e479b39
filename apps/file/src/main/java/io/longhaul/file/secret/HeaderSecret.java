// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.secret;

import io.longhaul.engine.secret.Secret;
import io.longhaul.file.tree.Binder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
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

    /** The kind of headers with a secret; those with a text have none. */
    public static final Binder.Kind<HeaderSecret> KIND =
            (in, place) -> in.file().node(place).isObject() ? read(in, place).orElse(null) : null;

    private static Optional<HeaderSecret> read(Binder in, String at) {
        var user = in.file().text(at + "/user");
        var before = in.file().text(at + "/before", user == null ? "" : "Basic ");
        return SecretSource.read(in, at)
                .map(source ->
                        new HeaderSecret(before, env -> user == null ? source.in(env) : basic(user, source.in(env))));
    }

    /** A password with its user, as HTTP basic authentication sends them. */
    private static Secret basic(String user, Secret password) {
        return () ->
                Base64.getEncoder().encodeToString((user + ":" + password.read()).getBytes(StandardCharsets.UTF_8));
    }
}

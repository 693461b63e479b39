// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.token;

import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A client as one authorization server knows it.
 *
 * @param id       the client id, or the address of its metadata document
 * @param secret   null for a public client
 * @param method   by which the client authenticates at the token endpoint
 * @param redirect the address to which a browser brings the answer to a login
 */
public record RegisteredClient(String id, @Nullable String secret, ClientAuthenticationMethod method, URI redirect) {

    /** Reads a text of {@link #text}; empty where the text is no client. */
    public static Optional<RegisteredClient> parse(String text) {
        try {
            var node = JsonTree.read(Json.raw(text));
            return Optional.of(new RegisteredClient(
                    Objects.requireNonNull(StoredTokens.given(node, "id")),
                    node.path("secret").asString(null),
                    new ClientAuthenticationMethod(node.required("method").stringValue()),
                    URI.create(node.required("redirect").stringValue())));
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    public String text() {
        var node = JsonTree.object();
        node.put("id", id);
        node.put("secret", secret);
        node.put("method", method.getValue());
        node.put("redirect", redirect.toString());
        return JsonTree.write(node).toString();
    }

    /** Does not show the secret. */
    @Override
    public String toString() {
        return "client " + id + " by " + method;
    }
}

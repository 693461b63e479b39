// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.authorization.CallerTokens;
import io.longhaul.authorization.ConfidentialClient;
import io.longhaul.file.secret.FieldSecret;
import io.longhaul.file.secret.PrivateFile;
import io.longhaul.file.tree.FileFields;
import io.longhaul.gateway.Upstream;
import io.longhaul.transport.http.Tls;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the gateway is authorized at a server, by the names of the fields.
 *
 * @param callers how calls get the rights of their callers; null where they have those of the gateway
 * @param keyFile of the client; null where the client has a secret
 */
public record UpstreamAuth(
        @Nullable String issuer,
        @Nullable String clientId,
        FieldSecret secret,
        @Nullable Path keyFile,
        List<String> scopes,
        @Nullable Callers callers) {

    /** How a call gets the rights of its caller. */
    public enum Callers {
        EXCHANGE,
        ASSERTION
    }

    /** Tells the mistakes in the fields at a place. */
    void check(FileFields file, String at) {
        if (keyFile != null && !secret.isAbsent()) {
            file.wrong(at + "/keyFile", "stands beside a secret", "Keep one of the two");
        } else if (keyFile == null && !secret.isNamed()) {
            var problem = "does not say by what the gateway proves who it is";
            file.lacks(at, problem, "Add one of secretFile:, secretEnv: and keyFile:");
        } else if (keyFile != null && !Files.isReadable(keyFile)) {
            file.wrong(at + "/keyFile", keyFile + " cannot be read", "Name a PKCS#8 key that this user may read");
        } else if (keyFile != null && !isKey(keyFile)) {
            var problem = keyFile + " is no PKCS#8 key of RSA, EC or Ed25519 without a password";
            file.wrong(at + "/keyFile", problem, "Make one of it by openssl pkcs8 -topk8 -nocrypt");
        } else if (keyFile == null && callers == Callers.ASSERTION) {
            file.wrong(at + "/callers", "assertion needs a key that signs", "Add keyFile:, or write exchange");
        }
        if (issuer != null && !isAddress(issuer)) {
            file.wrong(at + "/issuer", "is no address", "Write one such as https://login.example.com");
        }
    }

    private static boolean isKey(Path file) {
        try {
            Tls.privateKey(file);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isAddress(String text) {
        try {
            return URI.create(text).getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * An upstream that is authorized so.
     *
     * @param tokens of the callers of the gateway
     */
    Upstream authorized(Upstream upstream, Map<String, String> env, CallerTokens tokens) {
        var client = client(env).scopes(scopes);
        var itself = upstream.authorize(client.itself());
        return switch (callers) {
            case null -> itself;
            case EXCHANGE -> {
                tokens.begin();
                yield itself.authorizeCallers(caller -> client.exchanging(caller, tokens));
            }
            case ASSERTION -> itself.authorizeCallers(client::asserting);
        };
    }

    private ConfidentialClient client(Map<String, String> env) {
        var id = String.valueOf(clientId);
        var at = String.valueOf(issuer);
        return keyFile == null
                ? ConfidentialClient.withSecret(at, id, () -> secret.read(env))
                : ConfidentialClient.withKey(at, id, Tls.privateKey(PrivateFile.warned(keyFile)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.authorization.OAuth;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import tools.jackson.databind.JsonNode;

/** How the client of the suite is authorized: by what a scenario gives it, and else by a person who agrees at once. */
final class ScriptedLogin {

    private static final URI METADATA = URI.create("https://conformance-test.local/client-metadata.json");

    private ScriptedLogin() {}

    /** @param context what the scenario gives to its client, an object */
    static OAuth of(String scenario, Json context) throws GeneralSecurityException {
        JsonNode given = JsonTree.read(context);
        String id = given.path("client_id").asString("");
        String secret = given.path("client_secret").asString("");
        return switch (scenario) {
            case "auth/basic-cimd" -> OAuth.browser(ScriptedLogin::visit).metadataDocument(METADATA);
            case "auth/pre-registration" -> OAuth.browser(ScriptedLogin::visit).registered(id, secret);
            case "auth/client-credentials-basic" -> OAuth.clientCredentials(id, secret);
            case "auth/client-credentials-jwt" -> {
                PrivateKey key = key(given.path("private_key_pem").asString(""));
                yield OAuth.clientCredentials(
                        id, key, given.path("signing_algorithm").asString(""));
            }
            case "auth/enterprise-managed-authorization" -> {
                String token = given.path("idp_id_token").asString("");
                String provider = given.path("idp_issuer").asString("");
                yield OAuth.enterprise(provider, given.path("idp_client_id").asString(""), null, () -> token)
                        .registered(id, secret);
            }
            case "auth/wif-jwt-bearer" -> {
                String token = given.path("valid_jwt").asString("");
                yield OAuth.workload(issuer -> token).registered(id, null);
            }
            default -> OAuth.browser(ScriptedLogin::visit);
        };
    }

    /** The authorization server redirects to where the client waits. */
    private static void visit(URI address) {
        try (HttpClient browser =
                HttpClient.newBuilder().followRedirects(Redirect.NORMAL).build()) {
            browser.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static PrivateKey key(String pem) throws GeneralSecurityException {
        String encoded = pem.replaceAll("-----[A-Z ]+-----|\\s", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(encoded)));
    }
}

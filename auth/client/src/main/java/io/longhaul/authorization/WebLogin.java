// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import io.longhaul.authorization.discovery.Challenge;
import io.longhaul.authorization.discovery.Discovery;
import io.longhaul.authorization.discovery.ScopeChoice;
import io.longhaul.authorization.fetch.GuardedHttp;
import io.longhaul.authorization.fetch.NamedAddresses;
import io.longhaul.authorization.login.BrowserLogin;
import io.longhaul.authorization.proof.Proofs;
import io.longhaul.authorization.registration.ClientIdentity;
import io.longhaul.authorization.registration.ClientRegistrations;
import io.longhaul.authorization.token.RegisteredClient;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.authorization.token.TokenEndpoint;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A login of a person for one server, by a browser that brings the answer to an address of this program: its beginning
 * and its end are two requests, which can come to two processes. Uses a code that PKCE protects.
 *
 * @param server   for which the tokens are
 * @param issuer   of the authorization server; null for the one that the server names
 * @param client   the id and the secret of a manual registration; null for one that is made
 * @param scopes   that are requested; none for those that the server names
 * @param redirect the address to which the browser brings the answer
 */
public record WebLogin(
        URI server, @Nullable String issuer, @Nullable Client client, List<String> scopes, URI redirect) {

    /** A client by its manual registration. */
    public record Client(String id, @Nullable String secret) {
        /** Shows no secret. */
        @Override
        public String toString() {
            return "client " + id;
        }
    }

    /**
     * A login that has begun.
     *
     * @param page  where the person logs in
     * @param proof what the end of the login needs; a secret
     */
    public record Begun(URI page, String proof) {}

    /**
     * Begins a login.
     *
     * @param state comes back with the answer
     * @param store for registrations that are made
     */
    public Begun begin(String state, TokenStore store) throws IOException {
        var http = http();
        var discovery = new Discovery(http, server);
        var resource = issuer == null ? discovery.resource(Challenge.read(List.of())) : null;
        var named = resource == null ? issuer : resource.issuers().getFirst();
        var at = discovery.authorizationServer(String.valueOf(named), resource != null && resource.legacy());
        var first = resource == null ? scopes : ScopeChoice.first(List.of(), scopes, resource.scopes());
        var wanted = BrowserLogin.checked(
                at, new TokenEndpoint.RequestedAccess(resource == null ? server : resource.resource(), first));
        var known = new ClientRegistrations(identity(), store, http).known(at, redirect);
        var verifier = new CodeVerifier();
        var page = BrowserLogin.address(at, known, redirect, wanted, new State(state), verifier);
        var proof = JsonTree.object()
                .put("verifier", verifier.getValue())
                .put("issuer", at.issuer())
                .put("legacy", resource != null && resource.legacy())
                .put("resource", wanted.resource().toString())
                .put("scopes", String.join(" ", wanted.scopes()))
                .put("client", known.text());
        return new Begun(http.rules().check(page), JsonTree.write(proof).toString());
    }

    /**
     * Ends a login, and gives the tokens as a {@link TokenStore} keeps them.
     *
     * @param answer the parameters that the browser has brought, whose state was checked
     */
    public StoredTokens end(String proof, Map<String, List<String>> answer) throws IOException {
        var kept = JsonTree.read(Json.raw(proof));
        var http = http();
        var at = new Discovery(http, server)
                .authorizationServer(
                        kept.path("issuer").asString(""), kept.path("legacy").asBoolean(false));
        var wanted = new TokenEndpoint.RequestedAccess(
                URI.create(kept.path("resource").asString("")),
                ScopeChoice.read(kept.path("scopes").asString("")));
        var verifier = new CodeVerifier(kept.path("verifier").asString(""));
        var grant = new AuthorizationCodeGrant(BrowserLogin.code(at, answer), redirect, verifier);
        var clock = InstantSource.system();
        var known = RegisteredClient.parse(kept.path("client").asString(""));
        return new TokenEndpoint(http, clock, new Proofs(clock), null).ask(at, known, grant, wanted);
    }

    /** Where a {@link TokenStore} keeps the tokens for a server. */
    public static String tokensOf(URI server) {
        return OAuthAuthorizer.name(server);
    }

    private ClientIdentity identity() {
        var identity = ClientIdentity.named("Longhaul").named("Longhaul", redirect);
        return client == null ? identity : identity.registered(client.id(), client.secret());
    }

    private GuardedHttp http() throws IOException {
        var named = Optional.ofNullable(issuer).map(URI::create).orElse(server);
        return new GuardedHttp(NamedAddresses.by(named), GuardedHttp.ownClient());
    }
}

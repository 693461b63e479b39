// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.login;

import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationRequest;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import io.longhaul.authorization.discovery.AuthorizationServer;
import io.longhaul.authorization.discovery.ScopeChoice;
import io.longhaul.authorization.registration.ClientRegistrations;
import io.longhaul.authorization.token.RegisteredClient;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.authorization.token.TokenEndpoint;
import io.longhaul.authorization.token.TokenRefusedException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Has a person log in by a browser, with a code that PKCE protects.
 *
 * @param opener   opens the browser at an address
 * @param patience how long the person may take
 */
public record BrowserLogin(Consumer<URI> opener, Duration patience) implements Grant {

    @Override
    public StoredTokens tokens(AuthorizationServer server, TokenEndpoint.RequestedAccess wanted, Parts parts)
            throws IOException, InterruptedException {
        var all = checked(server, wanted);
        var kept = parts.registrations().known(server);
        try {
            return login(server, all, parts);
        } catch (TokenRefusedException e) {
            if (e.isClientUnknown() && isForgotten(kept, server, parts)) {
                return login(server, all, parts);
            }
            throw e;
        } catch (LoopbackRedirect.NoAnswerException e) {
            // A server that does not know the client "MUST NOT automatically redirect" (RFC 6749, 4.1.2.1).
            isForgotten(kept, server, parts);
            throw e;
        }
    }

    /** What a login asks for, where it is safe. */
    public static TokenEndpoint.RequestedAccess checked(
            AuthorizationServer server, TokenEndpoint.RequestedAccess wanted) throws IOException {
        if (!server.hasPkce()) {
            throw new IOException("The authorization server " + server.issuer()
                    + " does not say that it supports PKCE with S256, without which a login is not safe.");
        }
        return new TokenEndpoint.RequestedAccess(
                wanted.resource(), ScopeChoice.offline(wanted.scopes(), server.scopes()));
    }

    /** Whether a registration from before this login is forgotten now; a new one is not: it would be no better. */
    private static boolean isForgotten(Optional<RegisteredClient> kept, AuthorizationServer server, Parts parts) {
        var store = parts.registrations().store();
        return kept.isPresent()
                && ClientRegistrations.forget(store, server.issuer(), kept.get().id());
    }

    private StoredTokens login(AuthorizationServer server, TokenEndpoint.RequestedAccess all, Parts parts)
            throws IOException, InterruptedException {
        var registrations = parts.registrations();
        var state = new State();
        var kept = registrations.known(server).map(RegisteredClient::redirect);
        try (var redirect = LoopbackRedirect.open(registrations.identity().redirect(), kept, state.getValue())) {
            var client = registrations.known(server, redirect.uri());
            var verifier = new CodeVerifier();
            open(parts.http().rules().check(address(server, client, redirect.uri(), all, state, verifier)));
            var code = code(server, redirect.await(patience));
            return parts.endpoint()
                    .ask(server, Optional.of(client), new AuthorizationCodeGrant(code, redirect.uri(), verifier), all);
        }
    }

    private void open(URI address) throws IOException {
        try {
            opener.accept(address);
        } catch (RuntimeException e) {
            throw new IOException("The browser was not opened: " + e.getMessage(), e);
        }
    }

    /** The page to log in, which sends the browser back to an address of the client. */
    public static URI address(
            AuthorizationServer server,
            RegisteredClient client,
            URI redirect,
            TokenEndpoint.RequestedAccess wanted,
            State state,
            CodeVerifier verifier)
            throws IOException {
        var endpoint = server.metadata().getAuthorizationEndpointURI();
        if (endpoint == null) {
            throw new IOException("The authorization server " + server.issuer() + " has no page to log in.");
        }
        var request = new AuthorizationRequest.Builder(ResponseType.CODE, new ClientID(client.id()))
                .endpointURI(endpoint)
                .redirectionURI(redirect)
                .state(state)
                .codeChallenge(verifier, CodeChallengeMethod.S256)
                .resources(wanted.resource());
        if (!wanted.scopes().isEmpty()) {
            request.scope(new Scope(wanted.scopes().toArray(String[]::new)));
        }
        return request.build().toURI();
    }

    /**
     * The code of an answer, whose state was checked before. The issuer is compared first, by "simple string
     * comparison": "on mismatch the client MUST NOT act on or display `error`".
     */
    public static AuthorizationCode code(AuthorizationServer server, Map<String, List<String>> answer)
            throws IOException {
        var issuers = answer.getOrDefault("iss", List.of());
        boolean isRight = issuers.isEmpty()
                ? !server.metadata().supportsAuthorizationResponseIssuerParam()
                : issuers.equals(List.of(server.issuer()));
        if (!isRight) {
            throw new IOException(
                    "The answer to the login does not come from " + server.issuer() + ", and was not used.");
        }
        var error = answer.getOrDefault("error", List.of());
        if (!error.isEmpty()) {
            var text = answer.getOrDefault("error_description", List.of());
            throw new IOException("The login failed: " + error.getFirst()
                    + (text.isEmpty() ? "" : " (" + text.getFirst() + ")") + ".");
        }
        var code = answer.getOrDefault("code", List.of());
        if (code.size() != 1 || code.getFirst().isBlank()) {
            throw new IOException("The answer to the login has no code.");
        }
        return new AuthorizationCode(code.getFirst());
    }
}

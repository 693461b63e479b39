// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.AccessTokenResponse;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.ClientCredentialsGrant;
import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.GeneralException;
import com.nimbusds.oauth2.sdk.JWTBearerGrant;
import com.nimbusds.oauth2.sdk.OAuth2Error;
import com.nimbusds.oauth2.sdk.TokenErrorResponse;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.as.AuthorizationServerMetadata;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.auth.verifier.ClientAuthenticationVerifier;
import com.nimbusds.oauth2.sdk.auth.verifier.ClientCredentialsSelector;
import com.nimbusds.oauth2.sdk.auth.verifier.Context;
import com.nimbusds.oauth2.sdk.auth.verifier.InvalidClientException;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.Audience;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.token.BearerAccessToken;
import com.nimbusds.oauth2.sdk.token.Tokens;
import com.nimbusds.oauth2.sdk.tokenexchange.TokenExchangeGrant;
import com.sun.net.httpserver.HttpExchange;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.text.ParseException;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * An authorization server over the server side of the Nimbus SDK, which parses each request for a token, and verifies
 * its client and what its client shows. It gives tokens for one resource, to the client {@code gateway} alone, and none
 * in the name of mallory.
 */
final class TokenServer implements AutoCloseable {

    static final String SECRET = "a secret of at least thirty-two characters";

    /** A request for a token that was granted. */
    record Granted(String grant, String subject, String shown, URI resource) {}

    final List<Granted> granted = new CopyOnWriteArrayList<>();
    final List<String> refused = new CopyOnWriteArrayList<>();
    final ECKey clientKey;
    private final ECKey key;
    private final LocalHttp http;
    private final ClientAuthenticationVerifier<Void> clients;

    TokenServer() throws Exception {
        key = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
        clientKey = new ECKeyGenerator(Curve.P_256).generate();
        http = new LocalHttp("/", this::serve);
        clients = new ClientAuthenticationVerifier<>(known(), Set.of(new Audience(issuer())));
    }

    String issuer() {
        return http.origin();
    }

    private ClientCredentialsSelector<Void> known() {
        return new ClientCredentialsSelector<>() {
            @Override
            public List<Secret> selectClientSecrets(
                    ClientID id, ClientAuthenticationMethod method, @Nullable Context<Void> context) {
                return id.getValue().equals("gateway") ? List.of(new Secret(SECRET)) : List.of();
            }

            @Override
            public List<PublicKey> selectPublicKeys(
                    ClientID id,
                    ClientAuthenticationMethod method,
                    JWSHeader header,
                    boolean isAgain,
                    @Nullable Context<Void> context)
                    throws InvalidClientException {
                try {
                    return List.of(clientKey.toECPublicKey());
                } catch (JOSEException e) {
                    throw new InvalidClientException(e.getMessage());
                }
            }
        };
    }

    /** A token that a person has got by a login in some client. */
    String login(String user, URI resource, String scopes) throws JOSEException {
        return signed(user, "a-client", resource, scopes);
    }

    private String signed(String subject, String client, URI resource, String scopes) throws JOSEException {
        var claims = new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject(subject)
                .claim("client_id", client)
                .audience(resource.toString())
                .claim("scope", scopes)
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .jwtID(UUID.randomUUID().toString())
                .build();
        var header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(new JOSEObjectType("at+jwt"))
                .keyID("1")
                .build();
        var jwt = new SignedJWT(header, claims);
        jwt.sign(new ECDSASigner(key));
        return jwt.serialize();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            switch (exchange.getRequestURI().getPath()) {
                case "/.well-known/oauth-authorization-server" ->
                    send(exchange, 200, metadata().toJSONObject().toString());
                case "/keys" -> send(exchange, 200, new JWKSet(key).toString());
                case "/token" -> {
                    var response = answer(exchange).toHTTPResponse();
                    send(exchange, response.getStatusCode(), String.valueOf(response.getBody()));
                }
                default -> exchange.sendResponseHeaders(404, -1);
            }
        }
    }

    private AuthorizationServerMetadata metadata() {
        var metadata = new AuthorizationServerMetadata(new Issuer(issuer()));
        metadata.setTokenEndpointURI(URI.create(issuer() + "/token"));
        metadata.setJWKSetURI(URI.create(issuer() + "/keys"));
        return metadata;
    }

    private TokenResponse answer(HttpExchange exchange) throws IOException {
        try {
            var request = new HTTPRequest(HTTPRequest.Method.POST, URI.create(issuer() + "/token"));
            exchange.getRequestHeaders().forEach((name, values) -> request.setHeader(name, values.getFirst()));
            request.setBody(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            return granted(TokenRequest.parse(request));
        } catch (GeneralException e) {
            return refused(e.getErrorObject());
        } catch (JOSEException | ParseException e) {
            return refused(OAuth2Error.INVALID_GRANT);
        }
    }

    private TokenResponse refused(@Nullable ErrorObject why) {
        refused.add(String.valueOf(why));
        return new TokenErrorResponse(why == null ? OAuth2Error.INVALID_REQUEST : why);
    }

    private TokenResponse granted(TokenRequest request) throws InvalidClientException, JOSEException, ParseException {
        var client = request.getClientAuthentication();
        clients.verify(client, null, null);
        if (request.getResources() == null || request.getResources().size() != 1) {
            return refused(OAuth2Error.INVALID_RESOURCE);
        }
        var resource = request.getResources().getFirst();
        var id = client.getClientID().getValue();
        var shown = shown(request.getAuthorizationGrant());
        var subject = shown.isEmpty() ? id : subject(request.getAuthorizationGrant(), shown, id);
        if (subject == null || subject.equals("mallory")) {
            return refused(OAuth2Error.INVALID_TARGET);
        }
        granted.add(new Granted(
                request.getAuthorizationGrant().getType().getValue().replaceFirst(".*:", ""),
                subject,
                shown,
                resource));
        var scope = request.getScope() == null ? "" : request.getScope().toString();
        var token = new BearerAccessToken(signed(subject, id, resource, scope), 600, request.getScope());
        return new AccessTokenResponse(
                new Tokens(token, null), Map.of("issued_token_type", "urn:ietf:params:oauth:token-type:access_token"));
    }

    private static String shown(AuthorizationGrant grant) {
        return switch (grant) {
            case ClientCredentialsGrant own -> "";
            case TokenExchangeGrant exchange -> exchange.getSubjectToken().getValue();
            case JWTBearerGrant bearer -> bearer.getAssertion();
            default -> throw new IllegalArgumentException(grant.getType().getValue());
        };
    }

    /** The subject of a token of this server, or of an assertion of the client; null where it is not a good one. */
    private @Nullable String subject(AuthorizationGrant grant, String shown, String client)
            throws JOSEException, ParseException {
        var jwt = SignedJWT.parse(shown);
        var claims = jwt.getJWTClaimsSet();
        boolean isOwn = grant instanceof TokenExchangeGrant;
        boolean isGood = jwt.verify(new ECDSAVerifier(isOwn ? key : clientKey))
                && claims.getExpirationTime().after(new Date())
                && claims.getIssuer().equals(isOwn ? issuer() : client)
                && (isOwn || claims.getAudience().equals(List.of(issuer())));
        return isGood ? claims.getSubject() : null;
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        var bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        http.close();
    }
}

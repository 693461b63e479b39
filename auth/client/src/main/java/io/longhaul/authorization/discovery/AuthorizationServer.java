// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.discovery;

import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.as.AuthorizationServerMetadata;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import io.longhaul.authorization.proof.ProofKey;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An authorization server by its metadata (RFC 8414), which were checked against the requested issuer. */
public record AuthorizationServer(AuthorizationServerMetadata metadata) {

    /** Reads metadata; empty where they belong to another issuer than {@code issuer}, and must not be used. */
    public static Optional<AuthorizationServer> read(String issuer, String json) throws ParseException {
        var metadata = AuthorizationServerMetadata.parse(json);
        return metadata.getIssuer().getValue().equals(issuer)
                ? Optional.of(new AuthorizationServer(metadata))
                : Optional.empty();
    }

    /** "Clients MUST use the following default endpoint paths relative to the authorization base URL" (2025-03-26). */
    static AuthorizationServer withoutMetadata(String base) {
        var metadata = new AuthorizationServerMetadata(new Issuer(base));
        metadata.setAuthorizationEndpointURI(URI.create(base + "/authorize"));
        metadata.setTokenEndpointURI(URI.create(base + "/token"));
        metadata.setRegistrationEndpointURI(URI.create(base + "/register"));
        metadata.setCodeChallengeMethods(List.of(CodeChallengeMethod.S256));
        return new AuthorizationServer(metadata);
    }

    public String issuer() {
        return metadata.getIssuer().getValue();
    }

    /** "If `code_challenge_methods_supported` is absent, MCP clients MUST refuse to proceed." */
    public boolean hasPkce() {
        var methods = metadata.getCodeChallengeMethods();
        return methods != null && methods.contains(CodeChallengeMethod.S256);
    }

    public boolean takesMetadataDocuments() {
        return Boolean.TRUE.equals(metadata.toJSONObject().get("client_id_metadata_document_supported"));
    }

    /** Whether the server binds tokens to keys of our algorithm; it MUST name them (the draft of SEP-1932). */
    public boolean bindsTokens() {
        var algorithms = metadata.getDPoPJWSAlgs();
        return algorithms != null && algorithms.contains(ProofKey.ALGORITHM);
    }

    public List<String> scopes() {
        var scopes = metadata.getScopes();
        return scopes == null
                ? List.of()
                : scopes.stream().map(Scope.Value::getValue).toList();
    }

    /** The first of these methods by which clients may authenticate; the very first where the server takes none. */
    public ClientAuthenticationMethod firstTaken(ClientAuthenticationMethod... methods) {
        return Stream.of(methods).filter(this::takes).findFirst().orElse(methods[0]);
    }

    /** Whether clients may authenticate by this method; {@code client_secret_basic} where the server names none. */
    private boolean takes(ClientAuthenticationMethod method) {
        var methods = metadata.getTokenEndpointAuthMethods();
        return methods == null
                ? method.equals(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                : methods.contains(method);
    }
}

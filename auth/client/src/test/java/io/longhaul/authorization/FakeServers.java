// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import com.nimbusds.oauth2.sdk.util.URLUtils;
import com.sun.net.httpserver.HttpExchange;
import io.longhaul.authorization.discovery.ScopeChoice;
import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** An MCP server and its authorization server on one port, with a browser in which somebody always agrees. */
final class FakeServers implements AutoCloseable {

    /** How the servers behave; set before they are asked. */
    static final class Behaviour {
        String resourceMetadata = "/.well-known/oauth-protected-resource/mcp";
        boolean namesMetadata = true;
        String scheme = "Bearer realm=\"x\"";
        boolean demandsBound;
        List<String> proofAlgorithms = List.of();

        @Nullable
        String nonce;

        @Nullable
        String nextNonce;

        @Nullable
        String tokenNonce;

        String metadata = "/.well-known/oauth-authorization-server";
        String tenant = "";

        @Nullable
        String resource;

        @Nullable
        String issuer;

        @Nullable
        String challengedScope;

        List<String> resourceScopes = List.of();
        List<String> needed = List.of();
        List<String> serverScopes = List.of();
        List<String> methods = List.of("none");
        List<String> pkce = List.of("S256");
        boolean namesIssuer = true;
        boolean takesDocuments;
        boolean registers = true;
        long expiresIn = 3600;
        String tokenType = "Bearer";
        List<String> worthless = List.of();
        List<String> grants = List.of();
        List<String> refused = List.of();
        String exchanged = "urn:ietf:params:oauth:token-type:id-jag";
        String refreshError = "invalid_grant";
        boolean rotates = true;

        /** The refresh token of each answer, where it is not a good one. */
        @Nullable
        String refreshToken;

        /** The scopes of a token for which its client asks for none, as the answer says. */
        @Nullable
        String granted;

        /** Clients that cannot log in any more, and those that cannot use a code or a refresh token any more. */
        List<String> unknown = List.of();

        List<String> expired = List.of();

        /** The answer to a refresh is sent after this, when its refresh token is spent. */
        CountDownLatch refreshAnswered = new CountDownLatch(0);

        /** What happens elsewhere while a refresh is on its way. */
        Runnable meanwhile = () -> {};

        String registration = "{\"client_id\":\"c%d\",\"token_endpoint_auth_method\":\"%s\"%s}";
    }

    final Behaviour behaviour = new Behaviour();
    final List<Map<String, String>> logins = new CopyOnWriteArrayList<>();
    final List<Map<String, String>> tokenRequests = new CopyOnWriteArrayList<>();
    final List<String> registrations = new CopyOnWriteArrayList<>();
    final List<Proof> proofs = new CopyOnWriteArrayList<>();
    final List<Proof> tokenProofs = new CopyOnWriteArrayList<>();
    private final Map<String, String> keys = new ConcurrentHashMap<>();
    final List<String> asked = new CopyOnWriteArrayList<>();
    final Map<String, List<String>> valid = new ConcurrentHashMap<>();
    final List<String> refreshable = new CopyOnWriteArrayList<>();

    /** The clients to which refresh tokens were given. */
    private final Map<String, String> holders = new ConcurrentHashMap<>();

    private final LocalHttp http;
    private int given;

    FakeServers() throws IOException {
        http = new LocalHttp("/", this::serve);
    }

    String origin() {
        return http.origin();
    }

    URI server() {
        return URI.create(origin() + "/mcp");
    }

    String issuer() {
        return origin() + behaviour.tenant;
    }

    /** The values of a parameter in all requests for tokens so far, null where one did not have it. */
    List<String> inTokenRequests(String parameter) {
        return tokenRequests.stream().map(form -> form.get(parameter)).toList();
    }

    /** The values of a parameter in all logins so far, null where one did not have it. */
    List<String> inLogins(String parameter) {
        return logins.stream().map(login -> login.get(parameter)).toList();
    }

    /** All tokens are over, also those that others are renewed by. */
    void endTokens() {
        valid.clear();
        refreshable.clear();
    }

    /** Another authorization server lets clients in from now on, and the tokens of the first are over. */
    void changeIssuer() {
        behaviour.tenant = "/t2";
        behaviour.metadata = "/.well-known/oauth-authorization-server/t2";
        valid.clear();
    }

    /** Opens an address, as a person does who agrees. */
    void open(URI address) {
        LocalHttp.browse(address);
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            asked.add(path);
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (path.equals("/mcp")) {
                mcp(exchange);
            } else if (path.equals(behaviour.resourceMetadata)) {
                answer(exchange, 200, resource());
            } else if (path.equals(behaviour.metadata)) {
                answer(exchange, 200, metadata());
            } else if (path.equals(behaviour.tenant + "/authorize")) {
                login(exchange);
            } else if (path.equals(behaviour.tenant + "/token")) {
                token(exchange, body);
            } else if (path.equals(behaviour.tenant + "/register")) {
                register(exchange, body);
            } else {
                exchange.sendResponseHeaders(404, -1);
            }
        }
    }

    private void mcp(HttpExchange exchange) throws IOException {
        var header = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        var token = header.replaceFirst("^(Bearer|DPoP) ", "");
        var proof = Proof.of(exchange);
        proof.ifPresent(proofs::add);
        var key = keys.get(token);
        boolean isHeld = key == null
                ? header.startsWith("Bearer ")
                : header.startsWith("DPoP ") && proof.isPresent() && proof.get().isOf(key, "POST", server(), token);
        var scopes = isHeld ? valid.get(token) : null;
        boolean wantsNonce = isHeld
                && key != null
                && behaviour.nonce != null
                && !proof.orElseThrow().has(behaviour.nonce);
        if (wantsNonce) {
            exchange.getResponseHeaders().add("WWW-Authenticate", "DPoP error=\"use_dpop_nonce\"");
            exchange.getResponseHeaders().add("DPoP-Nonce", behaviour.nonce);
            exchange.sendResponseHeaders(401, -1);
            return;
        }
        if (behaviour.nextNonce != null) {
            behaviour.nonce = behaviour.nextNonce;
            exchange.getResponseHeaders().add("DPoP-Nonce", behaviour.nonce);
        }
        boolean isAllowed = scopes != null && scopes.containsAll(behaviour.needed);
        if (!isAllowed) {
            var challenge = new StringBuilder(behaviour.scheme);
            if (behaviour.namesMetadata) {
                challenge.append(", resource_metadata=\"").append(origin() + behaviour.resourceMetadata + "\"");
            }
            if (scopes != null) {
                challenge
                        .append(", error=\"insufficient_scope\", scope=\"")
                        .append(String.join(" ", behaviour.needed) + "\"");
            } else if (behaviour.challengedScope != null) {
                challenge.append(", scope=\"").append(behaviour.challengedScope + "\"");
            }
            exchange.getResponseHeaders().add("WWW-Authenticate", challenge.toString());
        }
        exchange.sendResponseHeaders(isAllowed ? 200 : scopes == null ? 401 : 403, -1);
    }

    private ObjectNode resource() {
        var node = JsonTree.object();
        boolean isRoot = behaviour.resourceMetadata.endsWith("resource");
        node.put("resource", behaviour.resource == null ? origin() + (isRoot ? "" : "/mcp") : behaviour.resource);
        node.putArray("authorization_servers").add(issuer());
        put(node, "scopes_supported", behaviour.resourceScopes);
        if (behaviour.demandsBound) {
            node.put("dpop_bound_access_tokens_required", true);
        }
        return node;
    }

    private ObjectNode metadata() {
        var node = JsonTree.object();
        node.put("issuer", behaviour.issuer == null ? issuer() : behaviour.issuer);
        node.put("authorization_endpoint", issuer() + "/authorize");
        node.put("token_endpoint", issuer() + "/token");
        if (behaviour.registers) {
            node.put("registration_endpoint", issuer() + "/register");
        }
        put(node, "response_types_supported", List.of("code"));
        put(node, "scopes_supported", behaviour.serverScopes);
        put(node, "code_challenge_methods_supported", behaviour.pkce);
        put(node, "token_endpoint_auth_methods_supported", behaviour.methods);
        put(node, "grant_types_supported", behaviour.grants);
        put(node, "dpop_signing_alg_values_supported", behaviour.proofAlgorithms);
        node.put("authorization_response_iss_parameter_supported", behaviour.namesIssuer);
        node.put("client_id_metadata_document_supported", behaviour.takesDocuments);
        return node;
    }

    private static void put(ObjectNode node, String name, List<String> values) {
        if (!values.isEmpty()) {
            var array = node.putArray(name);
            values.forEach(array::add);
        }
    }

    private void login(HttpExchange exchange) throws IOException {
        var query = parameters(exchange.getRequestURI().getRawQuery());
        logins.add(query);
        if (behaviour.unknown.contains(query.get("client_id"))) {
            exchange.sendResponseHeaders(400, -1);
            return;
        }
        var back = query.get("redirect_uri") + "?code=code" + logins.size() + "&state=" + query.get("state")
                + (behaviour.namesIssuer ? "&iss=" + issuer() : "");
        exchange.getResponseHeaders().add("Location", back);
        exchange.sendResponseHeaders(302, -1);
    }

    private void token(HttpExchange exchange, String body) throws IOException {
        var form = parameters(body);
        var header = exchange.getRequestHeaders().getFirst("Authorization");
        if (header != null) {
            form.put("(header)", new String(Base64.getDecoder().decode(header.substring(6)), StandardCharsets.UTF_8));
        }
        var proof = Proof.of(exchange);
        proof.ifPresent(tokenProofs::add);
        if (proof.isPresent() && behaviour.tokenNonce != null && !proof.get().has(behaviour.tokenNonce)) {
            exchange.getResponseHeaders().add("DPoP-Nonce", behaviour.tokenNonce);
            answer(exchange, 400, JsonTree.object().put("error", "use_dpop_nonce"));
            return;
        }
        tokenRequests.add(form);
        boolean isRefresh = form.get("grant_type").equals("refresh_token");
        if (isRefresh) {
            behaviour.meanwhile.run();
        }
        var client = String.valueOf(
                header == null ? form.get("client_id") : form.get("(header)").split(":")[0]);
        if (behaviour.expired.contains(client)) {
            answer(exchange, 401, JsonTree.object().put("error", "invalid_client"));
            return;
        }
        if (behaviour.refused.contains(form.get("grant_type"))
                || isRefresh && !isRefreshable(form.get("refresh_token"), client)
                || !isVerified(form)) {
            answer(exchange, 400, JsonTree.object().put("error", behaviour.refreshError));
            return;
        }
        var node = JsonTree.object();
        var access = "access" + ++given;
        var scope = form.getOrDefault(
                "scope", logins.isEmpty() ? "" : logins.getLast().getOrDefault("scope", ""));
        if (behaviour.granted != null && scope.isEmpty()) {
            scope = behaviour.granted;
            node.put("scope", scope);
        }
        if (!behaviour.worthless.contains(form.get("grant_type"))) {
            valid.put(access, ScopeChoice.read(scope));
        }
        if (form.get("grant_type").endsWith(":token-exchange")) {
            node.put("access_token", Keys.signed("an assertion of the provider"));
            node.put("issued_token_type", behaviour.exchanged).put("token_type", "N_A");
            answer(exchange, 200, node);
            return;
        }
        node.put("access_token", access);
        var isBound = proof.isPresent() && behaviour.tokenType.equals("Bearer") && !behaviour.proofAlgorithms.isEmpty();
        proof.filter(shown -> isBound).ifPresent(shown -> keys.put(access, shown.key()));
        node.put("token_type", isBound ? "DPoP" : behaviour.tokenType);
        node.put("expires_in", behaviour.expiresIn);
        if (behaviour.rotates || !isRefresh) {
            node.put("refresh_token", behaviour.refreshToken == null ? "refresh" + given : behaviour.refreshToken);
            refreshable.add("refresh" + given);
            holders.put("refresh" + given, client);
        } else {
            refreshable.add(form.get("refresh_token"));
        }
        if (isRefresh) {
            Blocking.await(behaviour.refreshAnswered);
        }
        answer(exchange, 200, node);
    }

    private boolean isRefreshable(String token, String client) {
        return client.equals(holders.get(token)) && refreshable.remove(token);
    }

    /** Whether the one who has the code is the one who asked for it. */
    private boolean isVerified(Map<String, String> form) {
        if (!form.get("grant_type").equals("authorization_code")) {
            return true;
        }
        var login = logins.getLast();
        try {
            var hash = MessageDigest.getInstance("SHA-256")
                    .digest(form.get("code_verifier").getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash).equals(login.get("code_challenge"))
                    && form.get("redirect_uri").equals(login.get("redirect_uri"));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private void register(HttpExchange exchange, String body) throws IOException {
        registrations.add(body);
        var method = behaviour.methods.getFirst();
        var secret = method.equals("none") ? "" : ",\"client_secret\":\"s" + registrations.size() + "\"";
        var text = behaviour.registration.formatted(registrations.size(), method, secret);
        send(exchange, 201, text);
    }

    private static Map<String, String> parameters(String query) {
        var all = new HashMap<String, String>();
        URLUtils.parseParameters(query).forEach((name, values) -> all.put(name, String.join(",", values)));
        return all;
    }

    private static void answer(HttpExchange exchange, int status, ObjectNode node) throws IOException {
        send(exchange, status, node.toString());
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

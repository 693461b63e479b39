// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/**
 * An authorization server in this process, for tests of a server that accepts its tokens and of clients that log in,
 * with a browser whose user always consents. Each token is for the resource that its client names, and has the scopes
 * that the client asks for. Thread-safe.
 */
public final class FakeAuthorizationServer implements AutoCloseable {

    private final HttpServer http;
    private final InstantSource clock;
    private final HttpClient browser =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();
    private final List<TokenKey> published = new CopyOnWriteArrayList<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final Map<String, ObjectNode> opaque = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private volatile TokenKey key;
    private volatile String user = "alice";
    private volatile Duration lifetime = Duration.ofHours(1);

    /** Starts the server on a free port of the loopback address. */
    public FakeAuthorizationServer(InstantSource clock) {
        this.clock = clock;
        key = TokenKey.create("key-1");
        published.add(key);
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", this::serve);
        http.start();
    }

    /** The issuer of the tokens: the address of this server. */
    public String issuer() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** Sets the user of the browser from now on. */
    public void user(String subject) {
        user = subject;
    }

    /** Sets the lifetime of tokens issued from now on; in whole seconds. */
    public void lifetime(Duration time) {
        lifetime = time;
    }

    /** The requested paths, in the order of the requests. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    /** Signs with a new key from now on, which is published in place of the previous one. */
    public void rotate() {
        key = TokenKey.create("key-" + numbers.incrementAndGet() + "-new");
        published.clear();
        published.add(key);
    }

    /** Ends all logins: no refresh token is valid any more. */
    public void endLogins() {
        codes.clear();
    }

    /** A key like those of this server, but never published. */
    public TokenKey stranger(String id) {
        return TokenKey.create(id);
    }

    /** The key that signs tokens now. */
    public TokenKey key() {
        return key;
    }

    /** The claims of a valid access token, for the test to change. */
    public ObjectNode claims(String audience, String scopes) {
        var claims = JsonTree.object();
        claims.put("iss", issuer()).put("sub", user).put("aud", audience);
        claims.put("client_id", "a-client").put("scope", scopes);
        claims.put("exp", clock.instant().plus(lifetime).getEpochSecond());
        return claims.put("jti", "token-" + numbers.incrementAndGet());
    }

    /** A valid, signed access token. */
    public String token(String audience, String scopes) {
        return key.sign("at+jwt", claims(audience, scopes));
    }

    /** An opaque access token with these claims. */
    public String opaque(ObjectNode claims) {
        var token = "opaque-" + numbers.incrementAndGet();
        opaque.put(token, claims.put("active", true));
        return token;
    }

    /** Revokes an opaque access token. */
    public void revoke(String token) {
        opaque.remove(token);
    }

    /** Opens an address in the browser; the user consents. */
    public void open(URI address) {
        try {
            browser.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            asked.add(path);
            var body = parameters(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            switch (path) {
                case "/.well-known/oauth-authorization-server" -> answer(exchange, 200, metadata());
                case "/keys" -> answer(exchange, 200, keys());
                case "/authorize" -> authorize(exchange);
                case "/token" -> token(exchange, body);
                case "/introspect" -> introspect(exchange, body);
                case "/register" ->
                    answer(
                            exchange,
                            201,
                            JsonTree.object()
                                    .put("client_id", "client-" + numbers.incrementAndGet())
                                    .put("token_endpoint_auth_method", "none"));
                default -> exchange.sendResponseHeaders(404, -1);
            }
        }
    }

    private ObjectNode metadata() {
        var node = JsonTree.object();
        node.put("issuer", issuer()).put("jwks_uri", issuer() + "/keys");
        for (var name : List.of("authorization", "token", "registration", "introspection")) {
            var path =
                    Map.of("authorization", "/authorize", "registration", "/register", "introspection", "/introspect");
            node.put(name + "_endpoint", issuer() + path.getOrDefault(name, "/" + name));
        }
        node.putArray("response_types_supported").add("code");
        node.putArray("code_challenge_methods_supported").add("S256");
        node.putArray("token_endpoint_auth_methods_supported").add("none");
        node.put("authorization_response_iss_parameter_supported", true);
        return node;
    }

    private ObjectNode keys() {
        var node = JsonTree.object();
        var all = node.putArray("keys");
        published.forEach(one -> all.add(one.publicKey()));
        return node;
    }

    private void authorize(HttpExchange exchange) throws IOException {
        var query = new HashMap<>(parameters(exchange.getRequestURI().getRawQuery()));
        var code = "code-" + numbers.incrementAndGet();
        query.put("user", user);
        codes.put(code, query);
        var back = query.get("redirect_uri") + "?code=" + code + "&state=" + query.get("state") + "&iss="
                + URLEncoder.encode(issuer(), StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Location", back);
        exchange.sendResponseHeaders(302, -1);
    }

    private void token(HttpExchange exchange, Map<String, String> form) throws IOException {
        var login = codes.remove(form.getOrDefault("code", form.getOrDefault("refresh_token", "")));
        boolean isRefresh = "refresh_token".equals(form.get("grant_type"));
        if (login == null || !isRefresh && !isVerified(login, form.get("code_verifier"))) {
            answer(exchange, 400, JsonTree.object().put("error", "invalid_grant"));
            return;
        }
        var refresh = "refresh-" + numbers.incrementAndGet();
        codes.put(refresh, login);
        var scopes = login.getOrDefault("scope", "");
        var claims = claims(login.get("resource"), scopes)
                .put("sub", login.get("user"))
                .put("client_id", login.get("client_id"));
        answer(
                exchange,
                200,
                JsonTree.object()
                        .put("access_token", key.sign("at+jwt", claims))
                        .put("token_type", "Bearer")
                        .put("expires_in", lifetime.toSeconds())
                        .put("refresh_token", refresh)
                        .put("scope", scopes));
    }

    private static boolean isVerified(Map<String, String> login, String verifier) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash).equals(login.get("code_challenge"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A resource server authenticates by the name {@code server} and the secret {@code secret}. */
    private void introspect(HttpExchange exchange, Map<String, String> form) throws IOException {
        var expected =
                "Basic " + Base64.getEncoder().encodeToString("server:secret".getBytes(StandardCharsets.US_ASCII));
        if (!expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            exchange.sendResponseHeaders(401, -1);
            return;
        }
        var known = opaque.get(form.getOrDefault("token", ""));
        answer(exchange, 200, known == null ? JsonTree.object().put("active", false) : known);
    }

    private static Map<String, String> parameters(String text) {
        var all = new HashMap<String, String>();
        for (var pair : String.valueOf(text).split("&")) {
            var parts = pair.split("=", 2);
            if (parts.length == 2) {
                all.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
            }
        }
        return all;
    }

    private static void answer(HttpExchange exchange, int status, ObjectNode node) throws IOException {
        var bytes = node.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        http.stop(0);
    }
}

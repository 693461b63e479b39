// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.longhaul.cli.Cli;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.audit.AuditTrail;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.server.FileServer;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.fakes.FakeAuthorizationServer;
import io.longhaul.file.ServerFile;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.oauth.ApiKey;
import io.longhaul.oauth.ResourceServer;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.server.LogLines;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** A file whose callers prove who they are. */
@Timeout(60)
class AuthorizedFileTest {
    private static final String RESOURCE = "https://tools.example/mcp";
    private static final String TOOLS = """
            tools:
              greet: {command: [echo, hello], quick: true}
              publish: {command: [echo, published], scopes: [publish]}
            """;

    @TempDir
    Path folder;

    @AutoClose
    private final FakeAuthorizationServer issuer = new FakeAuthorizationServer(InstantSource.system());

    @AutoClose
    private final LogLines log = new LogLines("io.longhaul.transport.http.Reloaded");

    private final List<FileServer> servers = new ArrayList<>();
    private TestTerminal user = TestTerminal.silent();

    @AfterEach
    void stop() {
        servers.forEach(FileServer::close);
    }

    private int run(String... line) {
        user = TestTerminal.silent();
        return new Cli(user.terminal()).run(List.of(line));
    }

    private ServerFile file(String auth) throws IOException {
        return ServerFile.read(Files.writeString(folder.resolve("tools.yaml"), TOOLS + auth));
    }

    private Http transport(ServerFile file, Map<String, String> env, String... options) {
        var line = new ArrayList<>(List.of("tools.yaml", "--http", "0"));
        line.addAll(List.of(options));
        return HttpSetup.http(ServeOptions.of(Arguments.parse(line, ServeOptions.ALL)), file, env);
    }

    private String serve(String auth, Map<String, String> env, String... options) throws IOException {
        var file = file(auth);
        var http = transport(file, env, options);
        servers.add(FileServer.start(file, new DataFolder(folder.resolve("data"), DataKeys.NONE), http));
        return http.url().toString();
    }

    @Test
    void a_key_lets_its_caller_in_with_its_scopes_and_nobody_else() throws IOException {
        assertThat(run("key", "ci", "--scope", "tools")).isZero();
        var key = user.out().strip();
        var entry = user.err().substring(user.err().indexOf("auth:"));
        assertThat(user.err()).doesNotContain(key);
        var url = serve(entry + "  resource: " + RESOURCE + "\n", Map.of());

        assertThat(run("call", url, "greet", "--token", key)).isZero();
        assertThat(user.out()).contains("hello");
        assertThat(run("call", url, "publish", "--token", key)).isNotZero();
        assertThat(user.err()).contains("publish");
        assertThat(run("tasks", "list", url, "--token", key)).isZero();
        assertThat(user.out()).doesNotContain("publish");
        assertThat(run("call", url, "greet")).isNotZero();
        assertThat(run("call", url, "greet", "--token", key + "x")).isNotZero();
        assertThat(servers.getFirst().announcement())
                .contains("each caller needs a token or a key, and finds its own tasks alone");
    }

    @Test
    void a_key_that_is_removed_from_the_file_is_refused_without_a_restart_and_a_broken_file_changes_nothing()
            throws IOException {
        var entry = "    - {name: %s, sha256: " + ApiKey.hash("lhk_a") + "}\n";
        var auth = "auth:\n  resource: " + RESOURCE + "\n  keys:\n";
        var now = new AtomicReference<>(Instant.parse("2026-11-23T10:00:00Z"));
        var read = file(auth + entry.formatted("ci")).auth().orElseThrow();
        var builder = ResourceServer.of(URI.create(RESOURCE)).clock(now::get);
        read.settings().apply(builder, Map.of());
        var server = builder.build();
        assertThat(ask(server)).isInstanceOf(Resolution.Granted.class);

        log.clear();
        for (var broken : List.of("tools: [", auth + "    - {name: ci, sha256: short}\n", "")) {
            file(broken, now);
            assertThat(ask(server)).as(broken).isInstanceOf(Resolution.Granted.class);
            assertThat(ask(server)).as(broken).isInstanceOf(Resolution.Granted.class);
        }
        assertThat(log.all())
                .as("one line for each")
                .extracting(ILoggingEvent::getFormattedMessage)
                .hasSize(3)
                .allMatch(line -> line.startsWith("API keys not read again, and what was read before stays: "));
        file(auth.replace("keys:", "keys: []"), now);
        assertThat(ask(server)).isInstanceOf(Resolution.Refused.class);
        file(auth + entry.formatted("again"), now);
        assertThat(ask(server)).isInstanceOf(Resolution.Granted.class);
    }

    /** Writes the file anew, and lets the time pass after which a server looks at it. */
    private void file(String auth, AtomicReference<Instant> now) throws IOException {
        Files.writeString(folder.resolve("tools.yaml"), TOOLS + auth);
        now.updateAndGet(time -> time.plusSeconds(5));
    }

    private static Resolution ask(ResourceServer server) {
        return server.resolve(header -> Optional.of("Bearer lhk_a"));
    }

    @Test
    void a_request_without_a_good_key_is_a_denied_access_in_the_audit_log() throws Exception {
        var entry = "auth:\n  resource: " + RESOURCE + "\n  keys:\n    - {name: ci, sha256: " + ApiKey.hash("lhk_a")
                + "}\n";
        var url = serve(entry, Map.of());
        assertThat(run("call", url, "greet")).isNotZero();
        assertThat(run("call", url, "greet", "--token", "lhk_wrong_and_secret")).isNotZero();
        assertThat(run("call", url, "greet", "--token", "lhk_a")).isZero();
        assertThat(run("call", url, "publish", "--token", "lhk_a")).isNotZero();
        servers.getFirst().close();
        servers.clear();
        var audit = Files.readString(folder.resolve("data").resolve(AuditTrail.FILE));
        assertThat(audit.lines().filter(line -> line.contains("\"status\":401")))
                .hasSizeGreaterThanOrEqualTo(2)
                .allMatch(line -> line.contains("\"event\":\"denied\"") && line.contains("\"address\":\"127.0.0.1\""))
                .noneMatch(line -> line.contains("\"owner\""));
        assertThat(audit.lines().filter(line -> line.contains("\"status\":403")))
                .singleElement()
                .asString()
                .contains("\"event\":\"denied\"", "\"owner\":");
        assertThat(audit).doesNotContain("lhk_");
    }

    @Test
    void a_token_of_an_issuer_that_the_command_line_names_lets_its_user_in() throws IOException {
        var url = serve("", Map.of(), "--resource", RESOURCE, "--auth", issuer.issuer());
        assertThat(run("call", url, "publish", "--token", issuer.token(RESOURCE, "publish")))
                .isZero();
        assertThat(user.out()).contains("published");
        assertThat(run("call", url, "greet", "--token", issuer.token("https://other.example", "")))
                .isNotZero();
    }

    @Test
    void an_issuer_is_asked_about_tokens_with_a_secret_of_the_environment_or_of_a_file() throws IOException {
        var auth = """
                auth:
                  resource: %s
                  issuers:
                    - issuer: %s
                      introspection: {clientId: server, %s}
                  audience: [api://tools]
                  scopes: [tools]
                  implies: {all: [tools, publish]}
                  ownerByClient: true
                  clockLeeway: 1m
                """;
        var token = issuer.opaque(issuer.claims("api://tools", "all"));
        var byVariable = auth.formatted(RESOURCE, issuer.issuer(), "secretEnv: SECRET");
        var url = serve(byVariable, Map.of("SECRET", "secret"));
        assertThat(run("call", url, "publish", "--token", token)).isZero();
        servers.removeFirst().close();
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> serve(byVariable, Map.of()))
                .withMessageContaining("the variable SECRET is not set");

        secret("secret", "secret\n");
        url = serve(auth.formatted(RESOURCE, issuer.issuer(), "secretFile: secret"), Map.of());
        assertThat(run("call", url, "publish", "--token", token)).isZero();
    }

    @Test
    void a_file_says_where_an_issuer_without_metadata_has_its_keys_and_looks_up_tokens() throws IOException {
        var stranger = issuer.stranger("another-key");
        var keys = JsonTree.object();
        keys.putArray("keys").add(stranger.publicKey());
        Files.writeString(folder.resolve("keys.json"), keys.toString());
        secret("secret", "secret");
        var url = serve("""
                auth:
                  resource: %s
                  issuers:
                    - {issuer: 'https://address.example', jwks: '%2$s/keys'}
                    - {issuer: 'https://file.example', jwksFile: keys.json}
                    - issuer: https://looks.example
                      introspection: {clientId: server, secretFile: secret, endpoint: '%2$s/introspect'}
                """.formatted(RESOURCE, issuer.issuer()), Map.of());
        var byAddress = issuer.key().sign("at+jwt", claims("https://address.example"));
        var byFile = stranger.sign("at+jwt", claims("https://file.example"));
        var lookedUp = issuer.opaque(claims("https://looks.example"));
        for (var token : List.of(byAddress, byFile, lookedUp)) {
            assertThat(run("call", url, "publish", "--token", token)).isZero();
        }
        assertThat(issuer.asked()).containsOnly("/keys", "/introspect");
        var byOther = stranger.sign("at+jwt", claims("https://address.example"));
        assertThat(run("call", url, "publish", "--token", byOther)).isNotZero();
    }

    private ObjectNode claims(String named) {
        return issuer.claims(RESOURCE, "publish").put("iss", named);
    }

    @Test
    void a_file_says_how_late_a_token_may_be_and_whether_each_client_of_a_user_owns_its_tasks() throws IOException {
        var auth = """
                auth:
                  resource: %s
                  issuers:
                    - issuer: %s
                      introspection: {clientId: server, secretEnv: SECRET}
                  ownerByClient: true
                  clockLeeway: 3m
                """;
        var url = serve(auth.formatted(RESOURCE, issuer.issuer()), Map.of("SECRET", "secret"));
        var now = Instant.now().getEpochSecond();
        var late = issuer.opaque(issuer.claims(RESOURCE, "publish").put("exp", now - 100));
        var tooLate = issuer.opaque(issuer.claims(RESOURCE, "publish").put("exp", now - 200));
        var other = issuer.opaque(issuer.claims(RESOURCE, "publish").put("client_id", "another-client"));
        assertThat(run("call", url, "publish", "--token", late, "--detach")).isZero();
        var task = user.out().strip().split("/")[3];
        assertThat(run("call", url, "publish", "--token", tooLate)).isNotZero();
        assertThat(run("tasks", "get", url, task, "--token", issuer.opaque(issuer.claims(RESOURCE, "publish"))))
                .isZero();
        assertThat(run("tasks", "get", url, task, "--token", other)).isNotZero();
    }

    @Test
    void what_cannot_work_is_said_before_anything_is_served() throws IOException {
        var plain = file("auth: {issuer: \"" + issuer.issuer() + "\"}\n");
        assertUsage(plain, "--auth and auth: of the file", "--auth", issuer.issuer(), "--resource", RESOURCE);
        assertUsage(plain, "Say --resource URL");
        assertUsage(plain, "https", "--resource", "http://tools.example/mcp");
        var open = file("");
        assertUsage(open, "the tool publish has scopes");
        assertUsage(open, "--resource is for an authorization", "--resource", RESOURCE);
        assertUsage(open, "login.example", "--auth", "login.example", "--resource", RESOURCE);
    }

    private void assertUsage(ServerFile file, String why, String... options) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> transport(file, Map.of(), options))
                .withMessageContaining(why);
    }

    @Test
    void a_server_serves_https_by_files_that_the_command_line_or_the_file_names() throws Exception {
        KeyFile.in(folder, "only-a-test");
        var tools = "tools: {greet: {command: [echo, hello]}}\n";
        var served = ServerFile.read(Files.writeString(
                folder.resolve("tls.yaml"), tools + "tls: {keyStore: keys.p12, passwordEnv: PASSWORD}\n"));
        assertThat(transport(served, Map.of("PASSWORD", "only-a-test")).url().getScheme())
                .isEqualTo("https");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> transport(served, Map.of("PASSWORD", "wrong")))
                .withMessageContainingAll("tls.yaml:2:6: tls: cannot be used", "its password right");
        assertUsage(served, "tls: of the file", "--tls-cert", "a.pem", "--tls-key", "b.pem");
        var plain = ServerFile.read(Files.writeString(folder.resolve("plain.yaml"), tools));
        assertUsage(plain, "a.pem for TLS is not there", "--tls-cert", "a.pem", "--tls-key", "b.pem");
        assertUsage(plain, "go together", "--tls-cert", "a.pem");
    }

    @Test
    void a_client_that_trusts_the_certificate_of_any_of_these_files_gets_a_connection() throws Exception {
        var auth = "auth: {resource: \"" + RESOURCE + "\", keys: [{name: ci, sha256: " + ApiKey.hash("lhk_a") + "}]}\n";
        var password = "only-a-test".toCharArray();
        var made = KeyStore.getInstance(KeyFile.in(folder, "only-a-test").toFile(), password);
        var certificate = made.getCertificate("mykey");
        var cert = pem("CERTIFICATE", certificate.getEncoded());
        var key = pem("PRIVATE KEY", made.getKey("mykey", password).getEncoded());
        secret("password", "only-a-test\n");
        assertTrusted(certificate, serve(auth, Map.of(), "--tls-cert", cert.toString(), "--tls-key", key.toString()));
        assertTrusted(certificate, serve(auth + "tls: {cert: CERTIFICATE.pem, key: PRIVATE KEY.pem}\n", Map.of()));
        assertTrusted(certificate, serve(auth + "tls: {keyStore: keys.p12, passwordFile: password}\n", Map.of()));
    }

    private void secret(String name, String text) throws IOException {
        PrivateFiles.createFile(folder.resolve(name));
        Files.writeString(folder.resolve(name), text);
    }

    private Path pem(String what, byte[] bytes) throws IOException {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                folder.resolve(what + ".pem"),
                "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }

    private void assertTrusted(Certificate certificate, String url) throws Exception {
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", certificate);
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        var address = URI.create(url);
        try (var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", address.getPort())) {
            socket.startHandshake();
            assertThat(socket.getSession().getPeerCertificates()).containsExactly(certificate);
        }
        servers.removeLast().close();
    }

    @Test
    void a_key_needs_a_name_that_can_own_tasks() {
        assertThat(run("key")).isEqualTo(2);
        assertThat(run("key", "two words")).isEqualTo(2);
        assertThat(run("key", "ci", "--scope", "two words")).isEqualTo(2);
        assertThat(user.out()).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.WholeResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TlsTest {

    private static final String PASSWORD = "only-a-test";

    @TempDir
    private static Path folder;

    private static KeyStore store;

    private final Http http = Http.onPort(0);

    @BeforeAll
    static void makeKeys() throws Exception {
        make("EC", "keys.p12");
        store = KeyStore.getInstance(folder.resolve("keys.p12").toFile(), PASSWORD.toCharArray());
        write("cert.pem", "CERTIFICATE", store.getCertificate("server").getEncoded());
        write(
                "key.pem",
                "PRIVATE KEY",
                store.getKey("server", PASSWORD.toCharArray()).getEncoded());
    }

    /** The JDK has no way to make a certificate but its tool. */
    private static void make(String algorithm, String name) throws IOException, InterruptedException {
        var tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var made = new ProcessBuilder(
                        tool,
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=ip:127.0.0.1,dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        folder.resolve(name).toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        var said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(made.waitFor()).as(said).isZero();
    }

    private static void write(String name, String what, byte[] content) throws IOException {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(
                folder.resolve(name), "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }

    @AfterEach
    void close() {
        http.close();
    }

    private static HttpClient client() throws Exception {
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", store.getCertificate("server"));
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private HttpRequest.Builder request() {
        return HttpRequest.newBuilder(http.url())
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream");
    }

    private HttpResponse<String> post(String body) throws Exception {
        return client().send(request().POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private static Tls pem() {
        return Tls.pem(folder.resolve("cert.pem"), folder.resolve("key.pem"));
    }

    /** The certificate that a new connection is shown. */
    private static Certificate shown(Http http) throws Exception {
        var seen = new AtomicReference<Certificate>();
        var context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Noting(seen)}, null);
        try (var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", http.port())) {
            socket.startHandshake();
        }
        return seen.get();
    }

    /** Trusts everybody, and notes the certificate. */
    private record Noting(AtomicReference<Certificate> seen) implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            seen.set(chain[0]);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void a_certificate_that_was_renewed_is_shown_without_a_restart_and_a_half_written_one_is_not() throws Exception {
        var now = new AtomicReference<>(Instant.parse("2026-11-23T10:00:00Z"));
        make("EC", "renewed.p12");
        var renewed = KeyStore.getInstance(folder.resolve("renewed.p12").toFile(), PASSWORD.toCharArray());
        var first = store.getCertificate("server");
        write("live.pem", "CERTIFICATE", first.getEncoded());
        write(
                "live-key.pem",
                "PRIVATE KEY",
                store.getKey("server", PASSWORD.toCharArray()).getEncoded());
        http.tls(Tls.pem(folder.resolve("live.pem"), folder.resolve("live-key.pem"), now::get));
        http.start(Script.ECHO);
        assertThat(shown(http)).isEqualTo(first);

        write(
                "live-key.pem",
                "PRIVATE KEY",
                renewed.getKey("server", PASSWORD.toCharArray()).getEncoded());
        Files.writeString(folder.resolve("live.pem"), "-----BEGIN CERTIFICATE-----\nMII");
        now.updateAndGet(time -> time.plus(Reloaded.APART));
        assertThat(shown(http)).isEqualTo(first);

        write("live.pem", "CERTIFICATE", renewed.getCertificate("server").getEncoded());
        assertThat(shown(http)).as("before the files are looked at again").isEqualTo(first);
        now.updateAndGet(time -> time.plus(Reloaded.APART));
        assertThat(shown(http)).isEqualTo(renewed.getCertificate("server"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_server_with_a_key_is_reached_by_https(boolean fromStore) throws Exception {
        http.tls(fromStore ? Tls.keyStore(folder.resolve("keys.p12"), PASSWORD) : pem())
                .start(Script.posting((body, exchange) -> exchange.answer(new WholeResponse(200, Json.raw(body)))));
        assertThat(http.url().getScheme()).isEqualTo("https");
        var large = "{\"a\":\"" + "x".repeat(300_000) + "\"}";
        assertThat(post(large).body()).isEqualTo(large);
    }

    @Test
    void a_stream_over_tls_is_read_while_it_is_written_and_a_client_that_leaves_is_noticed() throws Exception {
        var gone = new CompletableFuture<Void>();
        http.tls(pem()).start(Script.listening(exchange -> {
            var stream = exchange.stream(Map.of());
            stream.send("1", Json.raw("{\"a\":1}"));
            stream.onGone(() -> gone.complete(null));
            gone.join();
        }));
        var answer = client().send(request().GET().build(), BodyHandlers.ofInputStream());
        var body = answer.body();
        var seen = new StringBuilder();
        while (!seen.toString().contains("data: {\"a\":1}")) {
            seen.append((char) body.read());
        }
        body.close();
        gone.join();
    }

    @Test
    void a_client_that_speaks_without_tls_is_not_served() throws Exception {
        http.tls(pem())
                .start(Script.posting((body, exchange) -> exchange.answer(new WholeResponse(200, Json.raw(body)))));
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), http.port())) {
            socket.getOutputStream()
                    .write("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(said(socket)).doesNotContain("HTTP/1.1");
        }
        assertThat(post("{}").statusCode()).isEqualTo(200);
    }

    @Test
    void clients_that_find_no_place_and_say_nothing_hold_nobody_up() throws Exception {
        var gone = new CompletableFuture<Void>();
        http.openConnections(1).tls(pem()).start(Script.listening(exchange -> {
            var stream = exchange.stream(Map.of());
            stream.onGone(() -> gone.complete(null));
            gone.join();
        }));
        var body = client().send(request().GET().build(), BodyHandlers.ofInputStream())
                .body();
        for (int silent = 0; silent < 2; silent++) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), http.port())) {
                socket.setSoTimeout(20_000);
                assertThat(said(socket)).doesNotContain("HTTP/1.1");
            }
        }
        body.close();
    }

    /** What came before the connection ended, in whichever way. */
    private static String said(Socket socket) throws IOException {
        var said = new ByteArrayOutputStream();
        try {
            socket.getInputStream().transferTo(said);
        } catch (SocketException e) {
            said.writeBytes(new byte[] {'.'});
        }
        return said.toString(StandardCharsets.ISO_8859_1);
    }

    @Test
    void a_file_that_cannot_be_used_is_named_with_what_to_do() throws IOException {
        var nothing = folder.resolve("nothing.pem");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.pem(nothing, folder.resolve("key.pem")))
                .withMessageContaining("nothing.pem for TLS is not there");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.pem(folder.resolve("cert.pem"), folder.resolve("cert.pem")))
                .withMessageContaining("openssl pkcs8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.pem(folder.resolve("key.pem"), folder.resolve("key.pem")))
                .withMessageContaining("key.pem");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.keyStore(folder.resolve("keys.p12"), "wrong"))
                .withMessageContaining("its password right");
    }
}

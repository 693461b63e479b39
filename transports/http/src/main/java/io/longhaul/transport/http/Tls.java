// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.protocol.Require;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * The certificate and the private key of an HTTP server, for TLS 1.2 and 1.3. Changed files are read again for new
 * connections, see {@link Reloaded}. Thread-safe.
 */
public final class Tls {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    /** The algorithms of private keys, which are tried in order, since a file does not name its algorithm. */
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

    private final Reloaded<SSLContext> context;

    private Tls(List<Path> files, Supplier<SSLContext> reader, InstantSource clock) {
        context = new Reloaded<>("The certificate of the server", files, reader, clock);
    }

    private static SSLContext context(KeyStore keys, char[] password) throws GeneralSecurityException {
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password);
        var context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    /**
     * Reads a key store of PKCS#12 or JKS, with one key and its chain of certificates.
     *
     * @throws IllegalArgumentException with a sentence that says what is wrong
     */
    public static Tls keyStore(Path file, String password) {
        return new Tls(List.of(file), () -> ofStore(file, password), InstantSource.system());
    }

    private static SSLContext ofStore(Path file, String password) {
        try {
            var keys = KeyStore.getInstance(readable(file).toFile(), password.toCharArray());
            Require.that(keys.aliases().hasMoreElements(), "The key store " + file + " is empty: it needs a key");
            return context(keys, password.toCharArray());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "The key store " + file + " cannot be opened: it must be PKCS#12 or JKS, and its password right",
                    e);
        }
    }

    /**
     * Reads two files in PEM, as certificate authorities issue them.
     *
     * @param certificates the certificate of the server first, then the chain to a root
     * @param key          the private key in PKCS#8, without a password
     * @throws IllegalArgumentException with a sentence that says what is wrong
     */
    public static Tls pem(Path certificates, Path key) {
        return pem(certificates, key, InstantSource.system());
    }

    static Tls pem(Path certificates, Path key, InstantSource clock) {
        return new Tls(List.of(certificates, key), () -> ofPem(certificates, key), clock);
    }

    private static SSLContext ofPem(Path certificates, Path key) {
        var password = new char[0];
        var chain = chain(certificates);
        var secret = privateKey(key);
        try {
            var keys = KeyStore.getInstance("PKCS12");
            keys.load(null, password);
            keys.setKeyEntry("server", secret, password, chain);
            return context(keys, password);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "The certificate " + certificates + " and the key " + key + " do not go together", e);
        }
    }

    private static Certificate[] chain(Path file) {
        try (var in = Files.newInputStream(readable(file))) {
            var chain = CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (!chain.isEmpty()) {
                return chain.toArray(Certificate[]::new);
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("The certificate " + file + " cannot be read: it must be PEM", e);
        }
        throw new IllegalArgumentException("The file " + file + " holds no certificate");
    }

    /**
     * Reads a private key: PKCS#8 in PEM, without a password.
     *
     * @throws IllegalArgumentException with a sentence that names the error
     */
    public static PrivateKey privateKey(Path file) {
        var text = text(file);
        var found = KEY.matcher(text);
        if (!found.find()) {
            throw new IllegalArgumentException("The key " + file + " is no PKCS#8 without a password, which begins with"
                    + " -----BEGIN PRIVATE KEY-----: openssl pkcs8 -topk8 -nocrypt makes one of it");
        }
        for (var algorithm : ALGORITHMS) {
            try {
                var bytes = Base64.getMimeDecoder().decode(found.group(1));
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
            } catch (GeneralSecurityException e) {
                // The key may be of another algorithm.
                continue;
            }
        }
        throw new IllegalArgumentException("The key " + file + " must be of RSA, EC or Ed25519");
    }

    private static String text(Path file) {
        try {
            return Files.readString(readable(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IllegalArgumentException("The key " + file + " cannot be read", e);
        }
    }

    private static Path readable(Path file) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IllegalArgumentException(
                    "The file " + file.toAbsolutePath() + " for TLS is not there, or this user may not read it");
        }
        return file;
    }

    /** The wire of an accepted connection; the TLS handshake runs with the first read. */
    Wire wire(SocketChannel channel) throws IOException {
        var plain = Wire.of(channel);
        var socket = (SSLSocket) context.get().getSocketFactory().createSocket(channel.socket(), null, false);
        socket.setUseClientMode(false);
        return new Secured(plain, socket);
    }

    /**
     * A wire with encryption.
     *
     * @param plain  the plain wire, closed without a TLS message where a client is cut
     * @param socket encrypts the bytes
     */
    private record Secured(Wire plain, SSLSocket socket) implements Wire {

        @Override
        public int read(ByteBuffer into) throws IOException {
            int count =
                    socket.getInputStream().read(into.array(), into.arrayOffset() + into.position(), into.remaining());
            if (count > 0) {
                into.position(into.position() + count);
            }
            return count;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            socket.getOutputStream().write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            bytes.position(bytes.limit());
        }

        /** The first write would wait for the handshake, and so for the client. */
        @Override
        public boolean canWriteFirst() {
            return false;
        }

        @Override
        public void shutdownOutput() throws IOException {
            socket.shutdownOutput();
        }

        @Override
        public void close() {
            plain.close();
        }

        @Override
        public void reset() {
            plain.reset();
        }

        @Override
        public InetAddress address() {
            return plain.address();
        }
    }
}

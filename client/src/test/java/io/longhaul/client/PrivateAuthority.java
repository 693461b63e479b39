// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority for certificates which nobody trusts by default, and a server on this machine that has one of it. */
final class PrivateAuthority {

    private static final char[] PASSWORD = "for tests".toCharArray();

    private final KeyStore keys;

    private PrivateAuthority(KeyStore keys) {
        this.keys = keys;
    }

    /** Makes both with the tool of the JDK, in an empty folder. */
    static PrivateAuthority in(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        var file = folder.resolve("keys.p12");
        keytool(file, "-genkeypair", "-alias", "authority", "-dname", "CN=authority", "-ext", "bc:c");
        keytool(
                file,
                List.of("-genkeypair", "-alias", "server", "-dname", "CN=server", "-signer", "authority"),
                List.of("-ext", "san=ip:127.0.0.1"));
        var keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return new PrivateAuthority(keys);
    }

    private static void keytool(Path file, String... arguments) throws IOException, InterruptedException {
        keytool(file, List.of(arguments), List.of());
    }

    private static void keytool(Path file, List<String> arguments, List<String> more)
            throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(arguments);
        command.addAll(more);
        command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-keystore", file.toString()));
        command.addAll(List.of("-storepass", new String(PASSWORD)));
        var log = file.resolveSibling("keytool.log");
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IOException(Files.readString(log));
        }
    }

    private static KeyStore empty() throws GeneralSecurityException {
        var empty = KeyStore.getInstance("PKCS12");
        try {
            empty.load(null, null);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return empty;
    }

    /** For the server. */
    SSLContext server() throws GeneralSecurityException {
        var own = empty();
        own.setKeyEntry("server", keys.getKey("server", PASSWORD), PASSWORD, keys.getCertificateChain("server"));
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(own, PASSWORD);
        var context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    /** For a host that trusts this authority and no other. */
    SSLContext host() throws GeneralSecurityException {
        var trusted = empty();
        trusted.setCertificateEntry("authority", keys.getCertificate("authority"));
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}

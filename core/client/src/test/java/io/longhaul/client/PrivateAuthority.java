// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.testkit.Certificates;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority for certificates which nobody trusts by default, and a server on this machine that has one of it. */
final class PrivateAuthority {

    private static final char[] PASSWORD = Certificates.PASSWORD.toCharArray();

    private final KeyStore keys;

    private PrivateAuthority(KeyStore keys) {
        this.keys = keys;
    }

    /** Makes both with the tool of the JDK, in an empty folder. */
    static PrivateAuthority in(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        return new PrivateAuthority(Certificates.in(folder).keys());
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

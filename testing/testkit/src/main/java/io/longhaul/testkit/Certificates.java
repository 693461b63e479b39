// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * An authority that nobody trusts by default, a server on this machine and a client that it vouches for.
 *
 * @param folder where they are in PEM, by their names
 * @param keys   all of them, under {@link #PASSWORD}
 */
public record Certificates(Path folder, KeyStore keys) {

    public static final String PASSWORD = "only-a-test";

    /** Makes all with the tool of the JDK, in an empty folder. */
    public static Certificates in(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        var file = folder.resolve("keys.p12");
        keytool(file, "-genkeypair", "-alias", "authority", "-dname", "CN=authority", "-ext", "bc:c");
        var signed = new String[] {"-signer", "authority", "-ext", "san=ip:127.0.0.1"};
        for (var name : List.of("server", "client")) {
            var arguments = new ArrayList<>(List.of("-genkeypair", "-alias", name, "-dname", "CN=" + name));
            arguments.addAll(List.of(signed));
            keytool(file, arguments.toArray(String[]::new));
        }
        var store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        for (var name : List.of("authority", "server", "client")) {
            var certificate = store.getCertificate(name).getEncoded();
            write(folder.resolve(name + ".pem"), "CERTIFICATE", certificate);
            var key = store.getKey(name, PASSWORD.toCharArray()).getEncoded();
            write(folder.resolve(name + ".key"), "PRIVATE KEY", key);
        }
        return new Certificates(folder, store);
    }

    private static void keytool(Path file, String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        // It ends before what the second compiler does pays.
        command.addAll(List.of("-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-keystore", file.toString()));
        command.addAll(List.of("-storepass", PASSWORD));
        var log = file.resolveSibling("keytool.log");
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IOException(Files.readString(log));
        }
    }

    private static void write(Path file, String what, byte[] der) throws IOException {
        var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Files.writeString(file, "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n");
    }

    public Path certificate(String name) {
        return folder.resolve(name + ".pem");
    }

    public Path key(String name) {
        return folder.resolve(name + ".key");
    }
}

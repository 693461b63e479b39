// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A key store with a certificate that nobody trusts. */
final class KeyFile {

    private KeyFile() {}

    /** Makes {@code keys.p12}. */
    static Path in(Path folder, String password) throws IOException, InterruptedException {
        var file = folder.resolve("keys.p12");
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        var made = new ProcessBuilder(List.of(
                        keytool.toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        password))
                .inheritIO()
                .start();
        assertThat(made.waitFor()).isZero();
        return file;
    }
}

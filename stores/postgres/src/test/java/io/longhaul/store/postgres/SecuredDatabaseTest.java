// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreUnreachableException;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.NeedsPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that takes connections with TLS and a password only. */
@NeedsPostgres
final class SecuredDatabaseTest {

    private static final String ACCESS = """
            local   all postgres           trust
            host    all postgres localhost trust
            hostssl all longhaul localhost scram-sha-256
            """;

    @TempDir
    static Path folder;

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws Exception {
        certificate("server");
        certificate("stranger");
        server = EmbeddedPostgres.builder()
                .setServerConfig("ssl", "on")
                .setServerConfig("ssl_cert_file", file("server.crt"))
                .setServerConfig("ssl_key_file", file("server.key"))
                .setServerConfig(
                        "hba_file",
                        Files.writeString(folder.resolve("access"), ACCESS).toString())
                .start();
        var postgres = server.getPostgresDatabase();
        TestDatabase.run(postgres, "CREATE ROLE longhaul LOGIN PASSWORD 'sesame'");
        TestDatabase.run(postgres, "CREATE DATABASE tasks OWNER longhaul");
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private static String file(String name) {
        return folder.resolve(name).toString();
    }

    /** Writes a certificate for this machine, and its key, which nobody else may read. */
    private static void certificate(String name) throws Exception {
        var keys = folder.resolve(name + ".p12");
        var password = "only-a-test";
        var line =
                "-genkeypair -alias it -keyalg RSA -dname CN=localhost -ext san=dns:localhost -validity 30 -storepass "
                        + password + " -keystore " + keys;
        var words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        words.addAll(List.of(line.split(" ")));
        assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
        var store = KeyStore.getInstance(keys.toFile(), password.toCharArray());
        pem(name + ".crt", "CERTIFICATE", store.getCertificate("it").getEncoded());
        pem(
                name + ".key",
                "PRIVATE KEY",
                store.getKey("it", password.toCharArray()).getEncoded());
    }

    private static void pem(String name, String what, byte[] bytes) throws IOException {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        var path = Files.writeString(
                folder.resolve(name), "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    }

    private static PostgresTaskStore store(String settings, @Nullable String password) {
        var url = "jdbc:postgresql://localhost:" + server.getPort() + "/tasks?" + settings;
        return PostgresTaskStore.at(url, "longhaul", password, DataKeys.NONE);
    }

    private static String verified(String certificate) {
        return "sslmode=verify-full&sslrootcert=" + file(certificate);
    }

    @Test
    void every_connection_of_a_store_has_a_password_and_TLS_to_the_server_that_the_certificate_names()
            throws Exception {
        try (var store = store(verified("server.crt"), "sesame")) {
            store.join("node", NOW);
            store.sharedTasks().orElseThrow().listen("node", () -> {});
            store.commit(creation(task(1)));
            assertThat(store.find(id(1))).isPresent();
            assertThat(TestDatabase.query(server.getPostgresDatabase(), """
                            SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'longhaul'
                            """))
                    .hasSizeGreaterThan(1)
                    .containsOnly("t");
        }
    }

    @Test
    void a_wrong_password_is_refused_with_one_clear_line_that_does_not_repeat_it() {
        assertThatThrownBy(() -> store(verified("server.crt"), "tulip"))
                .isInstanceOf(StoreException.class)
                .hasMessageEndingWith("/tasks (schema longhaul): the database refuses the user or the password")
                .hasMessageNotContaining("tulip");
    }

    @Test
    void a_missing_password_is_said_to_be_missing_with_the_places_where_it_can_be() {
        assertThatThrownBy(() -> store(verified("server.crt"), null))
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(StoreUnreachableException.class)
                .hasMessageContaining("no password was given")
                .hasMessageContainingAll("LONGHAUL_STORE_PASSWORD", "--store-password-file");
    }

    @Test
    void a_server_with_a_certificate_of_somebody_else_gets_no_password() {
        assertThatThrownBy(() -> store(verified("stranger.crt"), "sesame"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the database cannot be reached", "certificate");
    }

    @Test
    void a_connection_without_TLS_is_refused_where_the_database_wants_TLS() {
        assertThatThrownBy(() -> store("sslmode=disable", "sesame"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the database refuses");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.longhaul.cli.Cli;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.data.StoreOptions;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.server.FileServer;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.engine.store.NodeRole;
import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.engine.store.StoreInUseException;
import io.longhaul.file.ServerFile;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.store.jdbc.DataLock;
import io.longhaul.testkit.NeedsPostgres;
import io.longhaul.transport.http.Http;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Files whose tasks are kept in PostgreSQL. */
@NeedsPostgres
@Timeout(120)
class ServedDatabaseTest {

    private static EmbeddedPostgres database;

    @TempDir
    Path folder;

    private Path file;

    @BeforeAll
    static void startDatabase() throws IOException {
        database = EmbeddedPostgres.builder().setServerConfig("fsync", "on").start();
    }

    @AfterAll
    static void stopDatabase() throws IOException {
        database.close();
    }

    @BeforeEach
    void writeFile() throws IOException {
        file = folder.resolve("tools.yaml");
        write("");
    }

    private ServerFile write(String store) throws IOException {
        Files.writeString(file, "tools: {greet: {command: [echo, hello]}}\n" + store);
        return ServerFile.read(file);
    }

    private FileServer serve(Http http) throws IOException {
        return serve(http, "data");
    }

    private FileServer serve(Http http, String data) throws IOException {
        var url = "jdbc:postgresql://localhost:" + database.getPort() + "/postgres";
        var store = write("store: {url: '" + url + "', user: postgres}").store().orElseThrow();
        var address = new DataFolder.Database(
                store.url(), store.user(), store.password().apply(Map.of()), store.node(), store.role(), Duration.ZERO);
        return FileServer.start(
                ServerFile.read(file), new DataFolder(folder.resolve(data), DataKeys.NONE, Optional.of(address)), http);
    }

    @Test
    void a_task_is_found_by_the_next_server_of_the_same_database() throws IOException {
        String id;
        var first = Http.onPort(0);
        try (var server = serve(first)) {
            assertThat(server.announcement())
                    .contains("tasks are kept in jdbc:postgresql://localhost:" + database.getPort()
                            + "/postgres, where this is node " + keptNode() + ", and the output of commands in "
                            + folder.resolve("data"));
            var reference =
                    said("call", first.url().toString(), "greet", "--detach").strip();
            id = reference
                    .substring(0, reference.indexOf(first.url().toString()))
                    .replaceFirst(".*/([^/]+)/$", "$1");
        }
        assertThat(folder.resolve("data").resolve(DataFolder.STORE)).doesNotExist();
        var second = Http.onPort(0);
        try (var server = serve(second)) {
            assertThat(said("tasks", "get", second.url().toString(), id, "--output", "json"))
                    .contains(id);
        }
    }

    @Test
    void a_folder_keeps_the_name_of_its_node_and_each_has_another_one() throws Exception {
        try (var one = serve(Http.onPort(0), "one");
                var other = serve(Http.onPort(0), "other")) {
            assertThat(one.announcement()).isNotEqualTo(other.announcement());
        }
        var kept = Files.readString(folder.resolve("one/node"));
        assertThat(kept.strip()).startsWith(DataLock.host() + "-");
        assertThat(Files.readString(folder.resolve("other/node"))).isNotEqualTo(kept);
        serve(Http.onPort(0), "one").close();
        assertThat(folder.resolve("one/node")).content().isEqualTo(kept);
        assertThat(nodes()).contains(kept.strip());
    }

    private static List<String> nodes() throws SQLException {
        try (var connection = database.getPostgresDatabase().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT node FROM longhaul.lease")) {
            var names = new ArrayList<String>();
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return names;
        }
    }

    @Test
    void a_second_process_of_a_folder_is_refused_also_where_the_tasks_are_in_a_database() throws IOException {
        try (var server = serve(Http.onPort(0))) {
            assertThatThrownBy(() -> serve(Http.onPort(0)))
                    .isInstanceOf(StoreInUseException.class)
                    .hasMessageStartingWith("data folder " + folder.resolve("data") + " is in use by process ");
            var inFile = new DataFolder(folder.resolve("data"), DataKeys.NONE);
            assertThatThrownBy(inFile::openStore).isInstanceOf(StoreInUseException.class);
            assertThat(server.announcement()).isNotEmpty();
        }
        serve(Http.onPort(0)).close();
    }

    @Test
    void a_node_is_named_in_the_file_or_on_the_command_line() throws IOException {
        var named = write("store: {url: 'jdbc:postgresql:tasks', node: east-1}");
        assertThat(named.store().orElseThrow().node()).contains("east-1");
        assertThat(write("store: 'jdbc:postgresql:tasks'").store().orElseThrow().node())
                .isEmpty();
        var words = Arguments.parse(List.of("tools.yaml", "--node", "west-1"), ServeOptions.ALL);
        assertThat(StoreOptions.over(named, words).store().orElseThrow().node()).contains("west-1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"jdbc:postgresql://localhost/tasks?user=me&password=sesame", "mysql://me:sesame@localhost/tasks"
            })
    void an_address_with_a_password_or_of_something_else_is_refused_and_not_repeated(String address) {
        var user = TestTerminal.silent();
        assertThat(new Cli(user.terminal()).run(List.of("serve", file.toString(), "--http", "0", "--store", address)))
                .isEqualTo(2);
        assertThat(user.err())
                .contains("what --store names", "--store-password-file", "LONGHAUL_STORE_PASSWORD")
                .doesNotContain("sesame");
        assertThatThrownBy(() -> write("store: '" + address + "'"))
                .hasMessageContaining("passwordFile")
                .hasMessageNotContaining("sesame");
    }

    @Test
    void the_password_is_in_a_file_or_in_a_variable() throws IOException {
        PrivateFiles.createFile(folder.resolve("secret"));
        Files.writeString(folder.resolve("secret"), "sesame\n");
        var inFile = write("store: {url: 'jdbc:postgresql:tasks', passwordFile: secret}");
        assertThat(inFile.store().orElseThrow().password().apply(Map.of())).contains("sesame");
        var named = write("store: {url: 'jdbc:postgresql:tasks', passwordEnv: PASS}");
        assertThat(named.store().orElseThrow().password().apply(Map.of("PASS", "open")))
                .contains("open");
        var usual = write("store: 'jdbc:postgresql:tasks'").store().orElseThrow();
        assertThat(usual.password().apply(Map.of("LONGHAUL_STORE_PASSWORD", "open")))
                .contains("open");
        assertThat(usual.password().apply(Map.of())).isEmpty();
        assertThatThrownBy(
                        () -> write("store: {url: 'jdbc:postgresql:tasks', passwordFile: secret, passwordEnv: PASS}"))
                .hasMessageContaining("says twice where the password is");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--store-password-file", "--node", "--label", "--wait-for-store"})
    void what_goes_with_a_database_is_refused_without_one(String option) {
        var user = TestTerminal.silent();
        assertThat(new Cli(user.terminal()).run(List.of("serve", file.toString(), "--http", "0", option, "word")))
                .isEqualTo(2);
        assertThat(user.err()).contains(option + " goes with --store");
    }

    @ParameterizedTest
    @CsvSource({
        "all,'',--label has no name",
        "all,'gpu, eu','--label is one label, not \"gpu, eu\". Write --label gpu --label eu.'",
        "front,gpu,--role front and --label do not go together"
    })
    void a_label_that_places_no_task_is_refused(String role, String label, String why) {
        var user = TestTerminal.silent();
        var line = List.of("serve", file.toString(), "--store", "jdbc:postgresql:t", "--role", role, "--label", label);
        assertThat(new Cli(user.terminal()).run(line)).isEqualTo(2);
        assertThat(user.err()).contains(why);
    }

    @Test
    void a_password_file_that_others_can_read_is_refused_and_not_repeated() throws IOException {
        var secret = Files.writeString(folder.resolve("secret"), "sesame\n");
        var words = Arguments.parse(
                List.of("tools.yaml", "--store", "jdbc:postgresql:tasks", "--store-password-file", secret.toString()),
                ServeOptions.ALL);
        var own = ServerFile.read(file);
        var named = write("store: {url: 'jdbc:postgresql:tasks', passwordFile: secret}")
                .store()
                .orElseThrow();
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
        for (ThrowingCallable read : List.<ThrowingCallable>of(
                () -> password(own, words), () -> named.password().apply(Map.of()))) {
            assertThatThrownBy(read)
                    .isInstanceOfAny(UsageException.class, ConfigException.class)
                    .hasMessageContainingAll("other users can read or write it", "chmod 600 " + secret)
                    .hasMessageNotContaining("sesame");
        }
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        assertThat(password(own, words)).contains("sesame");
        assertThat(named.password().apply(Map.of())).contains("sesame");
    }

    private static Optional<String> password(ServerFile file, Arguments words) {
        return StoreOptions.over(file, words).store().orElseThrow().password().apply(Map.of());
    }

    @Test
    void a_start_waits_for_its_database_where_it_is_told_so_or_systemd_started_it() {
        var own = String.valueOf(ProcessHandle.current().pid());
        var service = Map.of("SYSTEMD_EXEC_PID", own);
        assertThat(patience(service)).isEqualTo(Duration.ofSeconds(60));
        assertThat(patience(Map.of())).isZero();
        // A terminal that systemd has started hands the variable down.
        assertThat(patience(Map.of("SYSTEMD_EXEC_PID", "1" + own))).isZero();
        assertThat(patience(Map.of(), "--wait-for-store", "5m")).isEqualTo(Duration.ofMinutes(5));
        assertThat(patience(service, "--wait-for-store", "1s")).isEqualTo(Duration.ofSeconds(1));
        assertThatThrownBy(() -> patience(Map.of(), "--wait-for-store", "long"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--wait-for-store \"long\" is no time");
    }

    private static Duration patience(Map<String, String> env, String... words) {
        return StoreOptions.patience(Arguments.parse(List.of(words), ServeOptions.ALL), env);
    }

    @Test
    void a_database_that_comes_later_than_its_server_is_waited_for() throws Exception {
        int port = freePort();
        var address = new DataFolder.Database(
                "jdbc:postgresql://localhost:" + port + "/postgres",
                Optional.of("postgres"),
                Optional.empty(),
                Optional.empty(),
                NodeRole.ALL,
                Duration.ofMinutes(1));
        var data = new DataFolder(Files.createDirectory(folder.resolve("data")), DataKeys.NONE, Optional.of(address));
        try (var waits = new Waits()) {
            var store = CompletableFuture.supplyAsync(data::openStore);
            waits.said.await();
            try (var late = EmbeddedPostgres.builder().setPort(port).start()) {
                assertThat(late.getPort()).isEqualTo(port);
                store.get().close();
            }
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Hears that a start waits for its database. */
    private static final class Waits extends AppenderBase<ILoggingEvent> implements AutoCloseable {
        private final Logger log = (Logger) LoggerFactory.getLogger("io.longhaul.cli.data.DataFolder");
        private final CountDownLatch said = new CountDownLatch(1);

        Waits() {
            start();
            log.addAppender(this);
        }

        @Override
        protected void append(ILoggingEvent event) {
            said.countDown();
        }

        @Override
        public void close() {
            log.detachAppender(this);
        }
    }

    private String keptNode() throws IOException {
        return Files.readString(folder.resolve("data/node")).strip();
    }

    private static String said(String... words) {
        var user = TestTerminal.silent();
        assertThat(new Cli(user.terminal()).run(List.of(words))).as(user::err).isZero();
        return user.out();
    }
}

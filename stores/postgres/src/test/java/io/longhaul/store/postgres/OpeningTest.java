// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.task;
import static io.longhaul.store.postgres.TestDatabase.passing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreUnreachableException;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.NeedsPostgres;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

@NeedsPostgres
final class OpeningTest {

    private final String schema = TestDatabase.newSchema();

    @Test
    void stores_in_two_schemas_of_one_database_know_nothing_of_each_other() {
        try (var one = TestDatabase.store(schema);
                var other = TestDatabase.store(TestDatabase.newSchema())) {
            one.commit(creation(task(1)));
            assertThat(other.find(id(1))).isEmpty();
        }
    }

    @Test
    void of_nodes_that_start_at_once_one_makes_the_schema() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var starts = IntStream.range(0, 4)
                    .<Callable<PostgresTaskStore>>mapToObj(node -> () -> TestDatabase.store(schema))
                    .toList();
            for (var start : threads.invokeAll(starts)) {
                start.get().close();
            }
        }
        assertThat(TestDatabase.query("SELECT version FROM " + schema + ".schema_version WHERE version IS NOT NULL"))
                .containsExactly("1");
    }

    @Test
    void the_pool_of_an_application_stays_open_and_gets_all_its_connections_back() {
        var config = new HikariConfig();
        config.setDataSource(TestDatabase.direct());
        try (var pool = new HikariDataSource(config)) {
            try (var store = PostgresTaskStore.at(pool)) {
                store.commit(creation(task(1)));
                assertThat(store.find(id(1))).isPresent();
            }
            assertThat(pool.isClosed()).isFalse();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    @Test
    void a_connection_of_an_application_is_given_up_when_it_is_silent_for_a_minute_and_given_back_as_it_was()
            throws SQLException {
        try (var connection = TestDatabase.direct().getConnection()) {
            var kept = passing(
                    Connection.class,
                    (method, args) -> method.getName().equals("close") ? null : method.invoke(connection, args));
            var pool = passing(DataSource.class, (method, args) -> kept);
            try (var session =
                    PooledSessions.writing(pool, new SchemaName(schema)).take()) {
                assertThat(connection.getNetworkTimeout()).isEqualTo(60_000);
                session.rollback();
            }
            assertThat(connection.getNetworkTimeout()).isZero();
            connection.setNetworkTimeout(Runnable::run, 5_000);
            try (var session =
                    PooledSessions.writing(pool, new SchemaName(schema)).take()) {
                assertThat(connection.getNetworkTimeout()).isEqualTo(5_000);
                session.rollback();
            }
        }
    }

    @Test
    void a_database_that_cannot_be_reached_is_said_to_be_so() {
        assertThatThrownBy(() -> PostgresTaskStore.at(
                        "jdbc:postgresql://localhost:1/tasks?user=me", null, "sesame", DataKeys.NONE))
                .isInstanceOf(StoreUnreachableException.class)
                .hasMessageStartingWith(
                        "task store postgresql://localhost:1/tasks (schema longhaul): the database cannot"
                                + " be reached");
    }

    @Test
    void a_user_who_may_not_make_the_schema_is_told_the_GRANT_that_it_lacks() throws SQLException {
        TestDatabase.run("CREATE ROLE visitor LOGIN");
        assertThat(missing("visitor")).isEqualTo("CREATE ON DATABASE postgres");
        TestDatabase.run("GRANT CREATE ON DATABASE postgres TO visitor");
        open("visitor").close();
    }

    @Test
    void a_user_without_rights_in_a_schema_of_another_is_told_each_GRANT_that_it_lacks() throws SQLException {
        TestDatabase.store(schema).close();
        TestDatabase.run("CREATE ROLE guest LOGIN");
        assertThat(missing("guest")).isEqualTo("USAGE, CREATE ON SCHEMA " + schema);
        TestDatabase.run("GRANT USAGE, CREATE ON SCHEMA " + schema + " TO guest");
        var tables = "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + schema;
        assertThat(missing("guest")).isEqualTo(tables);
        TestDatabase.run("GRANT " + tables + " TO guest");
        open("guest").close();
    }

    @Test
    void what_is_no_address_is_refused_and_not_repeated() {
        assertThatThrownBy(() -> PostgresTaskStore.at("mysql://me:sesame@localhost", null, null, DataKeys.NONE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("write it as jdbc:postgresql://")
                .hasMessageNotContaining("sesame");
    }

    @Test
    void a_schema_that_would_need_quotes_is_refused() {
        assertThatThrownBy(() -> TestDatabase.store("tasks; DROP"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot be the schema of a task store");
    }

    @Test
    void an_older_PostgreSQL_is_refused() {
        assertThatThrownBy(() -> PostgresTaskStore.at(ofVersion(13)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("it is PostgreSQL 13, and Longhaul needs 14 or newer");
    }

    private PostgresTaskStore open(String user) {
        return PostgresTaskStore.at(
                TestDatabase.url(schema).replace("user=postgres", "user=" + user), null, null, DataKeys.NONE);
    }

    /** The right that a user is said to lack. */
    private String missing(String user) {
        var refusal = catchThrowableOfType(StoreException.class, () -> open(user));
        return String.valueOf(refusal.getMessage()).replaceAll(".* by GRANT (.*) TO the user$", "$1");
    }

    /** The database of the tests, which says that it has another version. */
    private static DataSource ofVersion(int version) {
        return passing(DataSource.class, (method, args) -> {
            var connection = (Connection) method.invoke(TestDatabase.direct(), args);
            return passing(Connection.class, (asked, given) -> {
                var answer = asked.invoke(connection, given);
                return answer instanceof DatabaseMetaData data
                        ? passing(
                                DatabaseMetaData.class,
                                (question, values) -> question.getName().equals("getDatabaseMajorVersion")
                                        ? version
                                        : question.invoke(data, values))
                        : answer;
            });
        });
    }
}

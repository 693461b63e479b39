// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Task;
import io.longhaul.server.McpServer;
import io.longhaul.server.ServerTasks.Started;
import io.longhaul.server.TaskContext;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpTool;
import io.longhaul.store.postgres.PostgresTaskStore;
import io.longhaul.testkit.NeedsPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/** Tasks in the database of the application. */
@Timeout(120)
@NeedsPostgres
class DataSourceTest {

    private static EmbeddedPostgres database;

    private final CountDownLatch released = new CountDownLatch(1);

    @TempDir
    Path folder;

    private WebApplicationContextRunner web;

    final class Reports {
        @McpTool(description = "Waits until it may end")
        @McpLongRunning
        String report(TaskContext task) throws InterruptedException {
            released.await();
            return "written";
        }
    }

    @BeforeAll
    static void begin() throws IOException {
        database = EmbeddedPostgres.builder().setServerConfig("fsync", "on").start();
    }

    @AfterAll
    static void end() throws IOException {
        database.close();
    }

    @BeforeEach
    void application() {
        web = new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LonghaulAutoConfiguration.class))
                .withBean("tasksDatabase", DataSource.class, DataSourceTest::pool)
                .withBean(Reports.class, Reports::new)
                .withPropertyValues(
                        "longhaul.store.path=" + folder.resolve("tasks.db"),
                        "longhaul.store.data-source=tasksDatabase");
    }

    private static HikariDataSource pool() {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(database.getJdbcUrl("postgres", "postgres"));
        return pool;
    }

    @Test
    void tasks_are_in_the_database_and_go_on_after_a_restart_of_the_server() {
        web.run(context -> {
            var server = context.getBean(McpServer.class);
            assertThat(server.tasks().start("report", Map.of())).isInstanceOf(Started.New.class);
            assertThat(tasks(server)).hasSize(1);
            assertThat(folder).isEmptyDirectory();
            context.stop();
            context.start();
            assertThat(tasks(server)).hasSize(1);
        });
        // Another application, with another pool.
        web.run(context -> assertThat(tasks(context.getBean(McpServer.class))).hasSize(1));
    }

    @Test
    void a_process_has_the_name_that_it_is_given() {
        web.withPropertyValues("longhaul.store.node=east-1").run(context -> {
            assertThat(context).hasNotFailed();
            try (var connection = context.getBean(DataSource.class).getConnection();
                    var statement = connection.createStatement();
                    var nodes = statement.executeQuery("SELECT FROM longhaul.lease WHERE node = 'east-1'")) {
                assertThat(nodes.next()).isTrue();
            }
        });
    }

    private static List<Task> tasks(McpServer server) {
        return server.tasks().list(TaskFilter.ALL, null, 10).tasks();
    }

    @Test
    void the_pool_stays_open_for_the_application() {
        web.run(context -> {
            context.stop();
            try (var connection = context.getBean(DataSource.class).getConnection()) {
                assertThat(connection.isValid(0)).isTrue();
            }
        });
    }

    @Test
    void the_name_of_no_pool_ends_the_start_and_names_the_property() {
        web.withPropertyValues("longhaul.store.data-source=reports").run(DataSourceTest::isNoPool);
        web.withBean("reports", String.class, () -> "a text")
                .withPropertyValues("longhaul.store.data-source=reports")
                .run(DataSourceTest::isNoPool);
    }

    private static void isNoPool(AssertableWebApplicationContext context) {
        assertThat(context.getStartupFailure())
                .hasStackTraceContaining(
                        "longhaul.store.data-source must name a bean that is a DataSource, and" + " 'reports' is none");
    }

    @Test
    void an_application_without_the_store_is_told_which_dependency_it_lacks() {
        web.withClassLoader(new FilteredClassLoader(PostgresTaskStore.class))
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(
                                "longhaul.store.data-source needs" + " io.longhaul:longhaul-store-postgres"));
    }
}

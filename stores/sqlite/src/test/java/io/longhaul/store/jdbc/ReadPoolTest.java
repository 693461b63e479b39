// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.StoreException;
import io.longhaul.store.jdbc.sql.Operator;
import io.longhaul.store.jdbc.sql.ReadPool;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReadPoolTest {
    @TempDir
    Path folder;

    @Test
    void an_error_in_a_reader_answers_its_caller_closes_its_transaction_and_is_told_to_the_operator() throws Exception {
        var file = folder.resolve("some.db");
        List<Throwable> told = new CopyOnWriteArrayList<>();
        var operator = new Operator(new SqliteFailures(file), (line, failure) -> told.add(failure), later -> {});
        try (var writer = DataFile.openWriter(file)) {
            writer.script("CREATE TABLE number (n INTEGER PRIMARY KEY)");
            var pool = new ReadPool(new IdleSessions(file, DataFile::openReader), operator);
            for (var i = 0; i < 20; i++) {
                assertThatThrownBy(() -> pool.read(session -> {
                            session.queryOne(row -> row.getInt(1), "SELECT count(*) FROM number");
                            throw new OutOfMemoryError("a test");
                        }))
                        .isInstanceOf(StoreException.class)
                        .hasRootCauseInstanceOf(OutOfMemoryError.class);
            }
            assertThat(pool.<Integer>read(session -> 7)).isEqualTo(7);
            writer.script("INSERT INTO number (n) VALUES (1)");
            assertThat(writer.queryOne(row -> row.getInt(1), "PRAGMA wal_checkpoint(TRUNCATE)"))
                    .as("1 where a reader is in the way")
                    .contains(0);
            pool.close();
            assertThat(told).hasSize(20).allMatch(failure -> failure.getCause() instanceof OutOfMemoryError);
        }
    }
}

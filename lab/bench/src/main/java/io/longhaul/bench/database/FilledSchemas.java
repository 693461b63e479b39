// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.database;

import io.longhaul.bench.database.BenchSchema.Expiry;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Schemas with many finished tasks, made on first use and kept for the other measurements. For one thread. */
public final class FilledSchemas implements AutoCloseable {

    private final Map<Integer, BenchSchema> made = new HashMap<>();

    /** A schema with a number of tasks, none of which expires soon. */
    BenchSchema of(BenchDatabase database, int tasks) throws SQLException {
        var schema = made.get(tasks);
        if (schema == null) {
            schema = database.newSchema();
            made.put(tasks, schema);
            schema.fill(tasks, Expiry.within(Instant.now().plus(Duration.ofDays(1)), Duration.ofDays(6)));
        }
        return schema;
    }

    @Override
    public void close() throws SQLException {
        for (var schema : made.values()) {
            schema.close();
        }
    }
}

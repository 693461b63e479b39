// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.crm;

import io.longhaul.examples.crm.ContactImport.Rejected;
import io.longhaul.examples.crm.ContactImport.Written;
import io.longhaul.examples.crm.ContactRow.BadRowException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** The contacts of a customer database, one for each email address. Each names the import and the row that added it. */
final class Contacts {

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS contacts (email TEXT PRIMARY KEY, name TEXT, company TEXT, country TEXT,
                since TEXT, revenue_cents INTEGER, added_by TEXT, added_as INTEGER)""";

    private static final String WRITE = """
            INSERT INTO contacts VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (email) DO UPDATE SET name = excluded.name, company = excluded.company,
                country = excluded.country, since = excluded.since, revenue_cents = excluded.revenue_cents
            RETURNING added_by = ? AND added_as = ?""";

    private final String url;

    private Contacts(String url) {
        this.url = url;
    }

    static Contacts at(Path file) {
        return new Contacts("jdbc:sqlite:" + file);
    }

    /**
     * Writes rows in one transaction. Writing the same rows again changes nothing and gives the same answer: a row
     * counts as added where the contact names that row.
     *
     * @param source the name of the import
     * @param first  the number of the first row
     * @param done   takes the number of each written row
     */
    Written write(String source, int first, List<String> lines, IntConsumer done) throws SQLException {
        int added = 0;
        int updated = 0;
        var rejected = new ArrayList<Rejected>();
        try (var database = open();
                var write = database.prepareStatement(WRITE)) {
            for (int i = 0; i < lines.size(); i++) {
                int number = first + i;
                try {
                    if (isAddedBy(write, ContactRow.of(lines.get(i)), source, number)) {
                        added++;
                    } else {
                        updated++;
                    }
                } catch (BadRowException e) {
                    rejected.add(new Rejected(number, e.getMessage(), lines.get(i)));
                }
                done.accept(number);
            }
            database.commit();
        }
        return new Written(added, updated, rejected);
    }

    private Connection open() throws SQLException {
        var database = DriverManager.getConnection(url);
        try (var statement = database.createStatement()) {
            // Another import may lock the database for a moment.
            statement.execute("PRAGMA busy_timeout = 10000");
            statement.execute(TABLE);
        }
        database.setAutoCommit(false);
        return database;
    }

    private static boolean isAddedBy(PreparedStatement write, ContactRow row, String source, int number)
            throws SQLException {
        write.setString(1, row.email());
        write.setString(2, row.name());
        write.setString(3, row.company());
        write.setString(4, row.country());
        write.setString(5, row.since().toString());
        write.setLong(6, row.revenueCents());
        write.setString(7, source);
        write.setInt(8, number);
        write.setString(9, source);
        write.setInt(10, number);
        try (var answer = write.executeQuery()) {
            answer.next();
            return answer.getBoolean(1);
        }
    }
}

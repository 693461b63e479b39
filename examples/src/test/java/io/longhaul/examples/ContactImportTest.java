// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.QuestionHandler;
import io.longhaul.protocol.dialect.Generation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example {@code crm-import}. */
class ContactImportTest {

    @TempDir
    Path folder;

    @Test
    void an_import_whose_server_is_killed_adds_and_rejects_the_same_rows() throws Exception {
        var killed = new KilledExample(
                ShownCall.of("crm-import"),
                1,
                own -> own,
                QuestionHandler.NONE,
                own -> List.of(contacts(own), Files.readAllLines(own.resolve("customers.db.rejected.csv"))));
        var end = killed.endsAlike(folder, Generation.V2025_11_25, Generation.V2025_06_18);
        assertThat(end.output()).hasSizeGreaterThan(20).doesNotHaveDuplicates();
        assertThat(end.result()).startsWith("{rows=400, added=");
    }

    private static List<String> contacts(Path own) throws Exception {
        var all = new ArrayList<String>();
        try (var database = DriverManager.getConnection("jdbc:sqlite:" + own.resolve("customers.db"));
                var statement = database.createStatement();
                var rows =
                        statement.executeQuery("SELECT email || ' ' || name || ' ' || revenue_cents || ' ' || added_as"
                                + " FROM contacts ORDER BY 1")) {
            while (rows.next()) {
                all.add(rows.getString(1));
            }
        }
        return all;
    }
}

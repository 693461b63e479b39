// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * What a node of some version of Longhaul has left in a database, and what it sends from then on, in a folder of files
 * that people can read. {@link OlderNodeTest} records and plays them.
 *
 * @param tasks  the SQL that makes the schema with its rows
 * @param sealed the same of a node with data keys
 * @param steps  the statements of each step, by its name; none where the version had one node at a time
 */
record Recording(String tasks, String sealed, Map<String, List<Sent>> steps) {

    private static final String TASKS = "tasks.sql";
    private static final String SEALED = "sealed.sql";
    static final String NODE = "node.txt";

    private static final String SCHEMA = SchemaName.STANDARD.name();
    private static final Pattern CHANGES_SCHEMA =
            Pattern.compile("(\\s|--[^\\n]*\\n)*(CREATE|ALTER|DROP)\\b.*", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
    private static final String STEP = "# ";

    /** Columns that the database does not make itself. */
    private static final String TABLES = """
        SELECT table_name || E'\\n' || string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) || E'\\n'
            || string_agg('quote_nullable(' || quote_ident(column_name) || ')', ', ' ORDER BY ordinal_position)
        FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = '%s' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
        GROUP BY table_name ORDER BY table_name
        """.formatted(SCHEMA);

    private static final String SEQUENCES = """
        SELECT format('SELECT setval(%%L, %%s);', sequencename, last_value)
        FROM pg_sequences WHERE schemaname = '%s' AND last_value IS NOT NULL
        """.formatted(SCHEMA);

    /**
     * What is in a database now.
     *
     * @param making what has made its schema, among other statements
     */
    static String sql(DataSource database, List<Sent> making) throws SQLException {
        var lines = new ArrayList<String>();
        making.stream()
                .map(Sent::sql)
                .filter(sql -> CHANGES_SCHEMA.matcher(sql).matches())
                .forEach(sql -> lines.addAll(List.of(sql.strip() + ";", "")));
        // The migrations name no schema.
        lines.add(1, "SET search_path TO " + SCHEMA + ";\n");
        for (var table : TestDatabase.query(database, TABLES)) {
            var parts = table.split("\n");
            var insert = "INSERT INTO " + parts[0] + " (" + parts[1] + ") VALUES";
            var rows = TestDatabase.query(
                    database,
                    "SELECT '    (' || concat_ws(', ', " + parts[2] + ") || ')' FROM " + SCHEMA + "." + parts[0]
                            + " ORDER BY 1");
            if (!rows.isEmpty()) {
                lines.add(insert + "\n" + String.join(",\n", rows) + ";\n");
            }
        }
        lines.addAll(TestDatabase.query(database, SEQUENCES));
        return String.join("\n", lines) + "\n";
    }

    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(TASKS), tasks);
        Files.writeString(folder.resolve(SEALED), sealed);
        var text = new StringBuilder();
        for (var step : steps.entrySet()) {
            text.append(STEP).append(step.getKey()).append("\n\n");
            for (var one : step.getValue()) {
                one.write(text);
            }
        }
        Files.writeString(folder.resolve(NODE), text);
    }

    static Recording read(Path folder) throws IOException {
        var steps = new LinkedHashMap<String, List<Sent>>();
        var file = folder.resolve(NODE);
        List<Sent> step = List.of();
        for (var paragraph : Files.exists(file) ? Files.readString(file).split("\n\n") : new String[0]) {
            if (paragraph.startsWith(STEP)) {
                step = new ArrayList<>();
                steps.put(paragraph.substring(STEP.length()), step);
            } else if (!paragraph.isBlank()) {
                step.add(Sent.read(paragraph));
            }
        }
        return new Recording(Files.readString(folder.resolve(TASKS)), Files.readString(folder.resolve(SEALED)), steps);
    }
}

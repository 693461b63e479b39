// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.store.StoreUnreachableException;
import io.longhaul.store.jdbc.sql.Failures;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;

/**
 * Describes failures of a database in words. Details of the database about rows are left out, because they may contain
 * data of the rows.
 *
 * @param database    the address of the database, without a password
 * @param hasPassword false where the store was given none
 */
record PostgresFailures(String database, SchemaName schema, boolean hasPassword) implements Failures {

    private static final Pattern DENIED = Pattern.compile("permission denied for (database|schema|table) (\\S+)");
    private static final String DISK_FULL = "53100";
    private static final String REJECTED = "08004";

    @Override
    public String store() {
        return "task store " + database;
    }

    @Override
    public StoreException ofSql(SQLException failure) {
        if (DISK_FULL.equals(failure.getSQLState())) {
            return new StoreFullException(store() + ": the disk of the database is full", failure);
        }
        return isGone(failure) && !lacksPassword(failure)
                ? new StoreUnreachableException(store() + ": " + words(failure), failure)
                : new StoreException(store() + ": " + words(failure), failure);
    }

    /** The refusal of {@code what} with a character that {@link Texts} does not accept. */
    StoreException unfit(String what) {
        return new StoreException(store() + ": " + what + " cannot contain the character U+0000");
    }

    /** The problem, and a remedy where there is one. */
    String words(SQLException failure) {
        if (lacksPassword(failure)) {
            return "the database rejects the connection, and no password was given: longhaul takes it from"
                    + " LONGHAUL_STORE_PASSWORD or --store-password-file (" + said(failure) + ")";
        }
        return switch (state(failure)) {
            case "28000", "28P01" -> "the database refuses the user or the password";
            case "3D000" -> "there is no such database";
            case "42501" -> "the user may not do that: " + said(failure) + grant(said(failure));
            case "26000", "42P05" ->
                "the pooler before the database mixes up prepared statements: add prepareThreshold=0 to the address";
            case "53300" -> "the database has no connection left";
            case "25006" -> "the database takes no writes at this time: it is a standby, or read-only";
            default -> isGone(failure) ? "the database cannot be reached: " + said(failure) : said(failure);
        };
    }

    /** Always false: a failed write was never acknowledged, and the next write takes a new connection. */
    @Override
    public boolean isFinal(SQLException failure) {
        return false;
    }

    @Override
    public boolean isOfEveryWrite(SQLException failure) {
        return isGone(failure) || "53300".equals(failure.getSQLState()) || "25006".equals(failure.getSQLState());
    }

    /** Whether the connection is lost, or no connection was possible. */
    static boolean isGone(SQLException failure) {
        var state = state(failure);
        return failure instanceof SQLTransientConnectionException || state.startsWith("08") || state.startsWith("57P");
    }

    /** The driver rejects a connection itself where the database wants a password and there is none. */
    private boolean lacksPassword(SQLException failure) {
        return !hasPassword && REJECTED.equals(state(failure));
    }

    /** What an administrator has to grant; empty where the refusal does not say what is missing. */
    private String grant(String said) {
        var denied = DENIED.matcher(said);
        if (!denied.find()) {
            return "";
        }
        var name = denied.group(2);
        var right = switch (denied.group(1)) {
            case "database" -> "CREATE ON DATABASE " + name;
            case "schema" -> "USAGE, CREATE ON SCHEMA " + name;
            default -> "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + schema.name();
        };
        return ": an administrator of the database gives it the right by GRANT " + right + " TO the user";
    }

    private static String state(SQLException failure) {
        var state = failure.getSQLState();
        return state == null ? "" : state;
    }

    private static String said(SQLException failure) {
        var server = failure instanceof PSQLException own ? own.getServerErrorMessage() : null;
        if (server != null) {
            return String.valueOf(server.getMessage());
        }
        return failure.getCause() instanceof SQLException cause ? said(cause) : String.valueOf(failure.getMessage());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A database that keeps the tasks of a server, in place of a file in its data folder.
 *
 * @param url      the address for the JDBC driver of PostgreSQL, without a password
 * @param user     empty where the address names the user
 * @param password makes the password from the environment; the password is never shown
 * @param node     the name of this server among the nodes of the database; empty for a name that the data folder keeps
 */
public record StoreAddress(
        String url,
        Optional<String> user,
        Function<Map<String, String>, Optional<String>> password,
        Optional<String> node) {

    /** The environment variable with the password, where neither the file nor the command line names another place. */
    public static final String VARIABLE = "LONGHAUL_STORE_PASSWORD";

    private static final Pattern ADDRESS = Pattern.compile("jdbc:postgresql:.+");
    private static final Pattern PASSWORD = Pattern.compile(".*[?&]password=.*", Pattern.CASE_INSENSITIVE);

    /** An address whose password may be in {@link #VARIABLE}. */
    public static StoreAddress of(String url) {
        return new StoreAddress(
                url,
                Optional.empty(),
                env -> Optional.ofNullable(env.get(VARIABLE)).filter(secret -> !secret.isEmpty()),
                Optional.empty());
    }

    /**
     * The error in an address; empty where the address is valid. The text leaves out the address, with its password.
     */
    public static Optional<String> problem(String url) {
        if (!ADDRESS.matcher(url).matches()) {
            return Optional.of("is no address of a PostgreSQL database");
        }
        return PASSWORD.matcher(url).matches()
                ? Optional.of("holds a password, which others can read")
                : Optional.empty();
    }

    /** This address with a password from elsewhere. */
    public StoreAddress withPassword(Function<Map<String, String>, Optional<String>> other) {
        return new StoreAddress(url, user, other, node);
    }

    /** This address with a name of this server among the nodes of the database. */
    public StoreAddress withNode(String name) {
        return new StoreAddress(url, user, password, Optional.of(name));
    }

    /** Shows no password. */
    @Override
    public String toString() {
        return "StoreAddress[" + url + "]";
    }
}

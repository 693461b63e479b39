// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A database that keeps the tasks of a server, in place of a file in its data folder.
 *
 * @param url      as the JDBC driver of PostgreSQL takes it, without a password
 * @param user     empty where the address says it
 * @param password makes it of the environment, where passwords may be; it is shown nowhere
 * @param node     of the server among those of the database; empty for a name that its data folder keeps
 */
public record StoreAddress(
        String url,
        Optional<String> user,
        Function<Map<String, String>, Optional<String>> password,
        Optional<String> node) {

    /** Has the password where neither the file nor the command line says where it is. */
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

    /** What is wrong with an address, which is not repeated, since it may hold a password; empty where nothing is. */
    public static Optional<String> problem(String url) {
        if (!ADDRESS.matcher(url).matches()) {
            return Optional.of("is no address of a PostgreSQL database");
        }
        return PASSWORD.matcher(url).matches()
                ? Optional.of("holds a password, which others can read")
                : Optional.empty();
    }

    /** The same with a password from elsewhere. */
    public StoreAddress withPassword(Function<Map<String, String>, Optional<String>> other) {
        return new StoreAddress(url, user, other, node);
    }

    /** The same for a server that is called so among those of the database. */
    public StoreAddress withNode(String name) {
        return new StoreAddress(url, user, password, Optional.of(name));
    }

    /** Shows no password. */
    @Override
    public String toString() {
        return "StoreAddress[" + url + "]";
    }
}

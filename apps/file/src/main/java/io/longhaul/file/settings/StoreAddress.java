// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import io.longhaul.engine.store.NodeRole;
import io.longhaul.file.secret.FieldSecret;
import io.longhaul.file.tree.Binder;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A database that keeps the tasks of a server, in place of a file in its data folder.
 *
 * @param url      the address for the JDBC driver of PostgreSQL, without a password
 * @param user     empty where the address names the user
 * @param password makes the password from the environment; the password is never shown
 * @param node     the name of this server among the nodes of the database; empty for a name that the data folder keeps
 * @param role     of this server among them
 */
public record StoreAddress(
        String url,
        Optional<String> user,
        Function<Map<String, String>, Optional<String>> password,
        Optional<String> node,
        NodeRole role) {

    /** The environment variable with the password, where neither the file nor the command line names another place. */
    public static final String VARIABLE = "LONGHAUL_STORE_PASSWORD";

    private static final String AT = "/store";
    private static final String FIX =
            "Write one such as jdbc:postgresql://localhost:5432/longhaul, and the password into"
                    + " a file that passwordFile: names, or a variable that passwordEnv: names";

    private static final Pattern ADDRESS = Pattern.compile("jdbc:postgresql:.+");
    private static final Pattern PASSWORD = Pattern.compile(".*[?&]password=.*", Pattern.CASE_INSENSITIVE);

    /** The fields of {@code store:}, or its address alone. */
    private record Fields(@Nullable String url, Optional<String> user, Optional<String> node, FieldSecret password) {}

    /** Reads {@code store:} of a file; empty where the file names no database. */
    public static Optional<StoreAddress> read(Binder in) {
        var file = in.file();
        if (!file.has(AT)) {
            return Optional.empty();
        }
        var fields = in.read(AT, "store", Fields.class);
        if (fields.url() == null) {
            return Optional.empty();
        }
        problem(fields.url()).ifPresent(problem -> file.wrong(file.has(AT + "/url") ? AT + "/url" : AT, problem, FIX));
        var password = fields.password();
        if (!password.isAbsent() && !password.isNamed()) {
            file.wrong(AT, "says twice where the password is", "Leave out passwordFile: or passwordEnv:");
        }
        return Optional.of(new StoreAddress(
                fields.url(),
                fields.user(),
                password.isAbsent() ? StoreAddress::inVariable : env -> Optional.of(password.read(env)),
                fields.node(),
                NodeRole.ALL));
    }

    private static Optional<String> inVariable(Map<String, String> env) {
        return Optional.ofNullable(env.get(VARIABLE)).filter(secret -> !secret.isEmpty());
    }

    /** An address whose password may be in {@link #VARIABLE}. */
    public static StoreAddress of(String url) {
        return new StoreAddress(url, Optional.empty(), StoreAddress::inVariable, Optional.empty(), NodeRole.ALL);
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
        return new StoreAddress(url, user, other, node, role);
    }

    /** This address with a name of this server among the nodes of the database. */
    public StoreAddress withNode(String name) {
        return new StoreAddress(url, user, password, Optional.of(name), role);
    }

    /** This address with a role of this server. */
    public StoreAddress withRole(NodeRole of) {
        return new StoreAddress(url, user, password, node, of);
    }

    /** Shows no password. */
    @Override
    public String toString() {
        return "StoreAddress[" + url + "]";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import io.longhaul.file.secret.FieldSecret;
import io.longhaul.file.tree.FileFields;
import java.nio.file.Path;
import java.util.Optional;

/** Reads which database keeps the tasks: {@code store:}. */
public final class StoreReader {
    private static final String AT = "/store";
    private static final String FIX =
            "Write one such as jdbc:postgresql://localhost:5432/longhaul, and the password into"
                    + " a file that passwordFile: names, or a variable that passwordEnv: names";

    private StoreReader() {}

    /**
     * The database; empty where the file names none.
     *
     * @param base the folder of relative paths
     */
    public static Optional<StoreAddress> read(FileFields file, Path base) {
        if (!file.has(AT)) {
            return Optional.empty();
        }
        boolean isText = !file.node(AT).isObject();
        var at = isText ? AT : AT + "/url";
        var url = file.text(at);
        if (url == null) {
            return Optional.empty();
        }
        var problem = StoreAddress.problem(url);
        if (problem.isPresent()) {
            file.wrong(at, problem.get(), FIX);
        }
        var address = StoreAddress.of(url);
        return Optional.of(isText ? address : withFields(file, base, address));
    }

    private static StoreAddress withFields(FileFields file, Path base, StoreAddress address) {
        var password = new FieldSecret(file, base, AT + "/password");
        var user = Optional.ofNullable(file.text(AT + "/user"));
        if (!password.isAbsent() && !password.isNamed()) {
            file.wrong(AT, "says twice where the password is", "Leave out passwordFile: or passwordEnv:");
        }
        if (!password.isAbsent()) {
            address = address.withPassword(env -> Optional.of(password.read(env)));
        }
        return new StoreAddress(address.url(), user, address.password(), Optional.ofNullable(file.text(AT + "/node")));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads which database keeps the tasks: {@code store:}. */
final class StoreReader {
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
    static Optional<StoreAddress> read(FileFields file, Path base) {
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
            file.mistakes().at(at, problem.get(), FIX);
        }
        var address = StoreAddress.of(url);
        return Optional.of(isText ? address : withFields(file, base, address));
    }

    private static StoreAddress withFields(FileFields file, Path base, StoreAddress address) {
        var secrets = new Secrets(file.tree(), base);
        var user = Optional.ofNullable(file.text(AT + "/user"));
        @Nullable String inFile = file.text(AT + "/passwordFile");
        @Nullable String inVariable = file.text(AT + "/passwordEnv");
        if (inFile != null && inVariable != null) {
            file.mistakes().at(AT, "says twice where the password is", "Leave out passwordFile: or passwordEnv:");
        }
        if (inFile != null) {
            address = address.withPassword(env -> Optional.of(secrets.ofFile(AT + "/passwordFile", inFile)));
        } else if (inVariable != null) {
            address =
                    address.withPassword(env -> Optional.of(secrets.ofVariable(AT + "/passwordEnv", inVariable, env)));
        }
        return new StoreAddress(address.url(), user, address.password(), Optional.ofNullable(file.text(AT + "/node")));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.data;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.engine.store.StoreException;
import io.longhaul.file.secret.PrivateFile;
import io.longhaul.store.jdbc.DataKeys;
import java.nio.file.Path;
import java.util.Map;

/** Finds the keys that seal a data folder: in a file that the user names, or in the environment. */
public final class SealingKeys {

    /** The variable with the keys themselves, in the form of a file of keys. */
    public static final String VARIABLE = "LONGHAUL_DATA_KEYS";

    public static final Option OPTION = Option.valued(
            "--data-keys",
            "FILE",
            "seal stored data with the keys in FILE, made by data-key; " + VARIABLE + " can hold the keys instead");

    /** For commands that store nothing. */
    public static final Option READING = Option.valued(
            OPTION.name(),
            "FILE",
            "read sealed data with the keys in FILE, made by data-key; " + VARIABLE + " can hold the keys instead");

    private SealingKeys() {}

    /** The configured keys, or none. */
    public static DataKeys of(Arguments arguments, Map<String, String> env) {
        try {
            return arguments
                    .value(OPTION)
                    .map(file -> DataKeys.read(PrivateFile.warned(Path.of(file))))
                    .orElseGet(() -> env.getOrDefault(VARIABLE, "").isBlank()
                            ? DataKeys.NONE
                            : DataKeys.parse(env.get(VARIABLE)));
        } catch (StoreException e) {
            throw new UsageException(e.getMessage() + ".");
        }
    }
}

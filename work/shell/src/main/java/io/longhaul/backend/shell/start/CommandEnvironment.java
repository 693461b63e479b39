// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.start;

import io.longhaul.engine.secret.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a command runs, and the variables that it gets there.
 *
 * @param variables their values by their names
 * @param secrets   variables whose values are secrets
 * @param inherited the names of variables of the server that the command gets, beside the usual ones
 * @param directory the working directory; null for the server's
 */
public record CommandEnvironment(
        Map<String, String> variables,
        Map<String, Secret> secrets,
        Set<String> inherited,
        @Nullable Path directory) {

    /** A secret cannot be read, for the reason that the message gives to the operator. */
    public static final class UnreadSecretException extends IOException {
        private static final long serialVersionUID = 1L;

        UnreadSecretException(String name, IOException cause) {
            super("the secret " + name + " cannot be read: " + cause.getMessage(), cause);
        }
    }

    public CommandEnvironment {
        variables = Map.copyOf(variables);
        secrets = Map.copyOf(secrets);
        inherited = Set.copyOf(inherited);
    }

    public CommandEnvironment in(Path other) {
        return new CommandEnvironment(variables, secrets, inherited, other);
    }

    public CommandEnvironment with(Map<String, String> others) {
        return new CommandEnvironment(others, secrets, inherited, directory);
    }

    public Map<String, String> readSecrets() throws UnreadSecretException {
        var values = new HashMap<String, String>();
        for (var secret : secrets.entrySet()) {
            try {
                values.put(secret.getKey(), secret.getValue().read());
            } catch (IOException e) {
                throw new UnreadSecretException(secret.getKey(), e);
            }
        }
        return values;
    }
}

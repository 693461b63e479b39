// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.login;

import io.longhaul.authorization.OAuth;
import io.longhaul.authorization.TokenStore;
import io.longhaul.client.McpClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The tokens that {@code longhaul login} keeps for the other commands. */
public final class KeptLogins {

    private KeptLogins() {}

    private static Path file(Map<String, String> env) {
        var state = env.getOrDefault("XDG_STATE_HOME", "");
        var base = state.isEmpty() ? Path.of(System.getProperty("user.home"), ".local", "state") : Path.of(state);
        return base.resolve("longhaul").resolve("logins.json");
    }

    static TokenStore store(Map<String, String> env) {
        return TokenStore.file(file(env));
    }

    /** The client with the kept tokens of its server. Without any login, no OAuth classes are loaded. */
    public static McpClientBuilder use(McpClientBuilder builder, Map<String, String> env) {
        return Files.exists(file(env)) ? builder.authorize(OAuth.kept(store(env))) : builder;
    }
}

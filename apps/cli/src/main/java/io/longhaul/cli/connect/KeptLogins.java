// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.connect;

import io.longhaul.authorization.OAuth;
import io.longhaul.authorization.TokenStore;
import io.longhaul.cli.command.ThisProgram;
import io.longhaul.client.McpClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The tokens that {@code longhaul login} keeps for the other commands. */
public final class KeptLogins {

    private KeptLogins() {}

    private static Path file(Map<String, String> env) {
        return ThisProgram.state(env).resolve("logins.json");
    }

    public static TokenStore store(Map<String, String> env) {
        return TokenStore.file(file(env));
    }

    /** The client with the kept tokens of its server. Without any login, no OAuth classes are loaded. */
    public static McpClientBuilder use(McpClientBuilder builder, Map<String, String> env) {
        return Files.exists(file(env)) ? builder.authorize(OAuth.kept(store(env))) : builder;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.oauth.ResourceServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The authorization of callers over HTTP, from a file of tools.
 *
 * @param resource the address of the server as its clients know it; empty for the address that the server serves
 * @param settings the other settings of the file
 */
public record AuthEntry(Optional<URI> resource, Settings settings) {

    /** The settings of a resource server. */
    @FunctionalInterface
    public interface Settings {
        /**
         * Applies the settings.
         *
         * @param env the environment, with secrets
         * @throws ConfigException where a secret is not at the place that the file names
         */
        void apply(ResourceServer.Builder builder, Map<String, String> env);
    }

    /**
     * Reads {@code auth:} of a file; empty where the file lets everyone in.
     *
     * @param path of the file
     */
    public static Optional<AuthEntry> read(Binder in, Path path) {
        return in.file().has("/auth") ? Optional.of(AuthFields.read(in, path)) : Optional.empty();
    }
}

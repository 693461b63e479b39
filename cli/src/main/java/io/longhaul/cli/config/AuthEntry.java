// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.oauth.ResourceServer;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * How a file tells callers over HTTP apart.
 *
 * @param resource the address of the server as its clients know it; empty for the one that is served
 * @param settings what else the file says
 */
public record AuthEntry(Optional<URI> resource, Settings settings) {

    /** What is set on a resource server. */
    @FunctionalInterface
    public interface Settings {
        /**
         * Sets it.
         *
         * @param env where secrets may be
         * @throws ConfigException where a secret is not where the file says
         */
        void apply(ResourceServer.Builder builder, Map<String, String> env);
    }
}

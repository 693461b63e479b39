// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.feature;

import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.feature.UriTemplate;
import io.longhaul.server.ArgumentCompleter;
import io.longhaul.server.Caching;
import io.longhaul.server.ForwardHandler;
import io.longhaul.server.ResourceHandler;
import io.longhaul.server.ResourceInfo;
import io.longhaul.server.ResourceRequest;
import io.longhaul.server.internal.call.Forwarded;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A resource, or all resources of a template, as their author has defined them. Immutable.
 *
 * @param uri        of the resource, or the template
 * @param mimeType   of the contents, where the handler does not say another one
 * @param definition the resource as lists contain it, an object
 * @param scopes     that its callers need
 */
public record ResourceSpec(
        String uri,
        @Nullable String mimeType,
        Json definition,
        Caching caching,
        Set<String> scopes,
        ResourceHandler handler) {

    /** Resources that another server lists, and reads. */
    public static ResourceSpec forwarded(ResourceInfo info, Json definition, ForwardHandler<ResourceRequest> way) {
        return new ResourceSpec(
                info.uri(),
                info.mimeType(),
                definition,
                Caching.DEFAULT,
                Set.of(),
                (request, call) -> Forwarded.of(way, request, call));
    }

    Freshness freshness() {
        return new Freshness(caching.ttl(), caching.shared());
    }

    /** A template of resources, and what completes its variables. */
    public record Templated(UriTemplate template, ResourceSpec resources, Map<String, ArgumentCompleter> completers) {
        public Templated {
            completers = Map.copyOf(completers);
        }
    }
}

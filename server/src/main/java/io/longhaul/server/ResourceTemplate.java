// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.receiver.feature.UriTemplate;
import java.util.Map;
import java.util.Set;

/** Resources that are not listed one by one, ready to be served. Made by {@link #define}. Immutable. */
public final class ResourceTemplate {

    final UriTemplate template;
    final ResourceInfo info;
    final Caching caching;
    final Set<String> scopes;
    final ResourceHandler handler;
    final Map<String, ArgumentCompleter> completers;

    ResourceTemplate(
            UriTemplate template,
            ResourceInfo info,
            Caching caching,
            Set<String> scopes,
            ResourceHandler handler,
            Map<String, ArgumentCompleter> completers) {
        this.template = template;
        this.info = info;
        this.caching = caching;
        this.scopes = scopes;
        this.handler = handler;
        this.completers = Map.copyOf(completers);
    }

    /**
     * Starts the definition of all resources whose URI matches {@code template}, of RFC 6570 up to level 3, such as
     * {@code file:///{+path}} or {@code db://{table}{?limit,offset}}. Every variable must be in the URI, but for
     * those that have their names there ({@code {;a}}, {@code {?a}} and {@code {&a}}).
     *
     * @throws IllegalArgumentException with what is wrong with it, in one sentence
     */
    public static ResourceTemplateDefinition define(String template) {
        return new ResourceTemplateDefinition(UriTemplate.of(template));
    }

    /** The template as it was written. */
    public String uriTemplate() {
        return template.text();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.receiver.feature.UriTemplate;
import io.longhaul.server.internal.feature.ResourceSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A builder of a template of resources. {@link #handler} finishes the definition; other methods return this. Not
 * thread-safe.
 */
public final class ResourceTemplateDefinition extends ResourceDescription<ResourceTemplateDefinition> {

    private final UriTemplate template;
    private final Map<String, ArgumentCompleter> completers = new LinkedHashMap<>();

    ResourceTemplateDefinition(UriTemplate template) {
        super(ResourceInfo.of(template.text(), String.join("-", template.variables())));
        this.template = template;
    }

    /** Sets the completer of the variable {@code name}. */
    public ResourceTemplateDefinition complete(String name, ArgumentCompleter completer) {
        if (!template.variables().contains(name)) {
            throw new IllegalArgumentException("the URI template '" + template + "' has no variable '" + name + "'");
        }
        completers.put(name, completer);
        return this;
    }

    /** Finishes the definition with the handler that gives the contents of the resources. */
    public ResourceTemplate handler(ResourceHandler handler) {
        return new ResourceTemplate(new ResourceSpec.Templated(template, spec("uriTemplate", handler), completers));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.feature.UriTemplate;
import io.longhaul.server.internal.codec.ContentCodec;
import io.longhaul.server.internal.feature.ResourceSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A template of resources that are not listed one by one. {@link #define} starts its definition. Immutable. */
public final class ResourceTemplate {

    final ResourceSpec.Templated spec;

    ResourceTemplate(ResourceSpec.Templated spec) {
        this.spec = spec;
    }

    /**
     * Starts the definition of all resources whose URI matches {@code template}, of RFC 6570 up to level 3, such as
     * {@code file:///{+path}} or {@code db://{table}{?limit,offset}}. A matching URI must have every variable, except
     * variables that the URI names ({@code {;a}}, {@code {?a}} and {@code {&a}}).
     *
     * @throws IllegalArgumentException with the fault of the template, in one sentence
     */
    public static ResourceTemplateDefinition define(String template) {
        return new ResourceTemplateDefinition(UriTemplate.of(template));
    }

    /**
     * Resources that another server lists by a template.
     *
     * @param definition the template as the other server lists it, an object
     * @param way        gives the contents of one of its resources
     * @param completers gives the completer of a variable by its name; gives null for none
     * @throws IllegalArgumentException with the fault of the template, in one sentence
     */
    public static ResourceTemplate listed(
            Json definition,
            ForwardHandler<ResourceRequest> way,
            Function<String, @Nullable ArgumentCompleter> completers) {
        var info = ContentCodec.listed(definition, "uriTemplate");
        var template = UriTemplate.of(info.uri());
        Map<String, ArgumentCompleter> known = new LinkedHashMap<>();
        for (var name : template.variables()) {
            var completer = completers.apply(name);
            if (completer != null) {
                known.put(name, completer);
            }
        }
        return new ResourceTemplate(
                new ResourceSpec.Templated(template, ResourceSpec.forwarded(info, definition, way), known));
    }

    /** The template as it was written. */
    public String uriTemplate() {
        return spec.template().text();
    }
}

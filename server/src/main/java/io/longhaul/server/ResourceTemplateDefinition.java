package io.longhaul.server;

import io.longhaul.receiver.feature.UriTemplate;
import java.util.LinkedHashMap;
import java.util.Map;

/** A template of resources in the making. Every method but the last gives the definition back. Not thread-safe. */
public final class ResourceTemplateDefinition {

    private final UriTemplate template;
    private final Map<String, ArgumentCompleter> completers = new LinkedHashMap<>();
    private ResourceInfo info;
    private Caching caching = Caching.DEFAULT;

    ResourceTemplateDefinition(String template) {
        this.template = UriTemplate.of(template);
        info = ResourceInfo.of(template, String.join("-", this.template.variables()));
    }

    /** Its name for programs. */
    public ResourceTemplateDefinition name(String name) {
        info = info.withName(name);
        return this;
    }

    /** Its name for people. */
    public ResourceTemplateDefinition title(String title) {
        info = info.withTitle(title);
        return this;
    }

    /** What it holds, for a model. */
    public ResourceTemplateDefinition description(String description) {
        info = info.withDescription(description);
        return this;
    }

    /** The type of what it holds. */
    public ResourceTemplateDefinition mimeType(String type) {
        info = info.withMimeType(type);
        return this;
    }

    /** Hints for whoever shows it. */
    public ResourceTemplateDefinition annotations(Annotations hints) {
        info = info.with(hints);
        return this;
    }

    /** What stands for it, in clients that show pictures. */
    public ResourceTemplateDefinition icons(Icon... pictures) {
        info = info.withIcons(pictures);
        return this;
    }

    /** How long a client may keep what it has read: a minute, until it is told otherwise. */
    public ResourceTemplateDefinition caching(Caching caching) {
        this.caching = caching;
        return this;
    }

    /** What the variable {@code name} could be. */
    public ResourceTemplateDefinition complete(String name, ArgumentCompleter completer) {
        if (!template.variables().contains(name)) {
            throw new IllegalArgumentException("the URI template '" + template + "' has no variable '" + name + "'");
        }
        completers.put(name, completer);
        return this;
    }

    /** Finishes the definition with what gives the contents of its resources. */
    public ResourceTemplate handler(ResourceHandler handler) {
        return new ResourceTemplate(template, info, caching, handler, completers);
    }
}

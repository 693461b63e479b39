// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A prompt in the making. Every method but the last two gives the definition back. Not thread-safe. */
public final class PromptDefinition {

    private final String name;
    private final List<PromptArgument> arguments = new ArrayList<>();
    private List<Icon> icons = List.of();
    private Set<String> scopes = Set.of();

    private @Nullable String title;
    private @Nullable String description;

    PromptDefinition(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a prompt must have a name");
        }
        this.name = name;
    }

    /** Its name for people. */
    public PromptDefinition title(String title) {
        this.title = title;
        return this;
    }

    /** What it is for: told in lists, and with what it says. */
    public PromptDefinition description(String description) {
        this.description = description;
        return this;
    }

    /** What stands for it, in clients that show pictures. */
    public PromptDefinition icons(Icon... pictures) {
        icons = List.of(pictures);
        return this;
    }

    /**
     * Refuses to give it, and to complete its arguments, where the authorization of a message lacks one of these
     * scopes, as {@link ToolDefinition#scopes} does for tools. It stays listed for all callers.
     *
     * @throws IllegalArgumentException where one cannot be a scope
     */
    public PromptDefinition scopes(String... needed) {
        scopes = Scopes.checked("prompt '" + name + "'", needed);
        return this;
    }

    /** Takes an argument that must be given. */
    public PromptDefinition argument(String name, String description) {
        return add(new PromptArgument(name, null, description, true, null));
    }

    /** Takes an argument that must be given, and knows what it could be. */
    public PromptDefinition argument(String name, String description, ArgumentCompleter completer) {
        return add(new PromptArgument(name, null, description, true, completer));
    }

    /** Takes an argument that may be left out. */
    public PromptDefinition optionalArgument(String name, String description) {
        return add(new PromptArgument(name, null, description, false, null));
    }

    /** Takes an argument that may be left out, and knows what it could be. */
    public PromptDefinition optionalArgument(String name, String description, ArgumentCompleter completer) {
        return add(new PromptArgument(name, null, description, false, completer));
    }

    /** Finishes the definition of a prompt that always says the same. */
    public Prompt text(String text) {
        return handler((arguments, call) -> List.of(PromptMessage.user(text)));
    }

    /** Finishes the definition with what gives its messages. */
    public Prompt handler(PromptHandler handler) {
        return new Prompt(
                name,
                definition(),
                arguments,
                scopes,
                (given, call) -> FeatureWiring.result(description, handler.messages(given, call)));
    }

    private PromptDefinition add(PromptArgument argument) {
        if (arguments.stream().anyMatch(other -> other.name().equals(argument.name()))) {
            throw new IllegalArgumentException("the prompt '" + name + "' has two arguments '" + argument.name() + "'");
        }
        arguments.add(argument);
        return this;
    }

    private Json definition() {
        var out = new JsonWriter().beginObject().name("name").string(name);
        out.optional("title", title).optional("description", description);
        if (!arguments.isEmpty()) {
            out.name("arguments").beginArray();
            arguments.forEach(argument -> argument.writeTo(out));
            out.endArray();
        }
        Icon.write(icons, out);
        return out.endObject().toJson();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.Require;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.server.internal.codec.ContentCodec;
import io.longhaul.server.internal.feature.PromptSpec;
import io.longhaul.server.internal.feature.Scopes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A builder of a prompt. {@link #text} and {@link #handler} finish the definition; other methods return this. Not
 * thread-safe.
 */
public final class PromptDefinition {

    private final String name;
    private final List<PromptSpec.Argument> arguments = new ArrayList<>();
    private List<Icon> icons = List.of();
    private Set<String> scopes = Set.of();

    private @Nullable String title;
    private @Nullable String description;

    PromptDefinition(String name) {
        Require.that(!name.isBlank(), "a prompt must have a name");
        this.name = name;
    }

    /** Sets the display name of the prompt. */
    public PromptDefinition title(String title) {
        this.title = title;
        return this;
    }

    /** Sets the purpose of the prompt, which clients see in lists and with its messages. */
    public PromptDefinition description(String description) {
        this.description = description;
        return this;
    }

    /** Sets the icons of the prompt. */
    public PromptDefinition icons(Icon... pictures) {
        icons = List.of(pictures);
        return this;
    }

    /**
     * Refuses requests for the prompt, and completions of its arguments, whose authorization lacks one of these scopes,
     * as {@link ToolDefinition#scopes} does for tools. The prompt stays listed for all callers.
     *
     * @throws IllegalArgumentException where a text cannot be a scope
     */
    public PromptDefinition scopes(String... needed) {
        scopes = Scopes.checked("prompt '" + name + "'", needed);
        return this;
    }

    /** Adds a required argument. */
    public PromptDefinition argument(String name, String description) {
        return add(new PromptSpec.Argument(name, description, true, null));
    }

    /** Adds a required argument with a completer of its values. */
    public PromptDefinition argument(String name, String description, ArgumentCompleter completer) {
        return add(new PromptSpec.Argument(name, description, true, completer));
    }

    /** Adds an optional argument. */
    public PromptDefinition optionalArgument(String name, String description) {
        return add(new PromptSpec.Argument(name, description, false, null));
    }

    /** Adds an optional argument with a completer of its values. */
    public PromptDefinition optionalArgument(String name, String description, ArgumentCompleter completer) {
        return add(new PromptSpec.Argument(name, description, false, completer));
    }

    /** Finishes the definition of a prompt with a constant text. */
    public Prompt text(String text) {
        return handler((arguments, call) -> List.of(PromptMessage.user(text)));
    }

    /** Finishes the definition with the handler that gives the messages of the prompt. */
    public Prompt handler(PromptHandler handler) {
        return new Prompt(new PromptSpec(
                name,
                definition(),
                arguments,
                scopes,
                (given, call) -> ContentCodec.prompt(description, handler.messages(given, call))));
    }

    private PromptDefinition add(PromptSpec.Argument argument) {
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
            for (var argument : arguments) {
                out.beginObject().name("name").string(argument.name());
                out.optional("description", argument.description());
                out.name("required").bool(argument.required()).endObject();
            }
            out.endArray();
        }
        ContentCodec.icons(icons, out);
        return out.endObject().toJson();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.gateway.link.Listing.ListedTool;
import io.longhaul.protocol.NamePattern;
import io.longhaul.protocol.json.JsonTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What of a server is offered, and in which words. Immutable.
 *
 * @param prefix  of all names, or null where only names that clash get one
 * @param named   tools that were named as long or quick
 * @param choice  the tools that are offered
 * @param words   other words for tools, by their own names
 * @param pinned  whether a changed definition waits until an operator accepts it
 */
public record Offer(
        @Nullable String prefix, NamedTools named, Choice choice, Map<String, ToolWords> words, boolean pinned) {

    /** All tools, in the words of the server. */
    static final Offer WHOLE = new Offer(null, NamedTools.NONE, Choice.ALL, Map.of(), false);

    public Offer {
        words = Map.copyOf(words);
    }

    /** Tools that were named as long, and as quick. */
    public record NamedTools(Set<String> asLong, Set<String> asQuick) {
        /** No tool was named. */
        public static final NamedTools NONE = new NamedTools(Set.of(), Set.of());
    }

    /**
     * The tools that are offered, by their own names, in which {@code *} stands for any text.
     *
     * @param include empty for all
     * @param exclude stay out, also where they are included
     */
    public record Choice(List<String> include, List<String> exclude) {
        static final Choice ALL = new Choice(List.of(), List.of());

        boolean takes(String tool) {
            return (include.isEmpty() || NamePattern.matches(include, tool)) && !NamePattern.matches(exclude, tool);
        }
    }

    /**
     * Other words for a tool; null where they are those of its server.
     *
     * @param name  under which the tool is served, without a prefix
     * @param hints by their names in the protocol, such as {@code readOnlyHint}
     */
    public record ToolWords(@Nullable String name, @Nullable String description, Map<String, Boolean> hints) {
        /** The words of the server. */
        public static final ToolWords SAME = new ToolWords(null, null, Map.of());

        ListedTool of(ListedTool tool) {
            if (description == null && hints.isEmpty()) {
                return tool;
            }
            var definition = (ObjectNode) JsonTree.read(tool.definition());
            if (description != null) {
                definition.put("description", description);
            }
            if (!hints.isEmpty()) {
                hints.forEach(definition.withObjectProperty("annotations")::put);
            }
            return new ListedTool(tool.mode(), JsonTree.write(definition));
        }
    }

    /** The name behind the prefix, if any. */
    public String prefixed(String own) {
        return Objects.requireNonNullElse(prefix, "") + own;
    }

    /** The name under which a tool is served where that is free. */
    public String toolName(String own) {
        var name = words.getOrDefault(own, ToolWords.SAME).name();
        return name == null ? prefixed(own) : name;
    }

    /** Whether tools have the same names in another offer. */
    public boolean isNamedAs(Offer other) {
        return Objects.equals(prefix, other.prefix) && names().equals(other.names());
    }

    private Map<String, String> names() {
        return words.entrySet().stream()
                .flatMap(word -> Optional.ofNullable(word.getValue().name()).stream()
                        .map(name -> Map.entry(word.getKey(), name)))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The tools that a program has named one by one, for what they are not there to say. */
    public Stream<String> namedTools() {
        return Stream.of(
                        named.asLong().stream(),
                        named.asQuick().stream(),
                        words.keySet().stream(),
                        choice.include().stream().filter(pattern -> !pattern.contains("*")))
                .flatMap(names -> names)
                .distinct();
    }

    /** What is offered of what the server lists. */
    public Listing of(Listing listing) {
        var tools = new LinkedHashMap<String, ListedTool>();
        listing.tools().forEach((own, tool) -> {
            if (choice.takes(own)) {
                tools.put(own, words.getOrDefault(own, ToolWords.SAME).of(tool));
            }
        });
        return listing.with(tools);
    }
}

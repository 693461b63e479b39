// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import tools.jackson.databind.JsonNode;

/**
 * A YAML file as a JSON tree, with the place of each value in the file. JSON pointers name the values.
 *
 * @param file  the path as it was named
 * @param root  the tree, from which {@link Mistakes} may remove wrong values
 * @param spots the places of the values, by their pointers
 */
public record YamlTree(String file, JsonNode root, Map<String, Spot> spots) {

    /**
     * The place of a value in the file.
     *
     * @param field such as {@code tools[0].command}
     * @param key   the name before the value, or null where the value has none
     */
    record Spot(String field, Node value, @Nullable Node key) {}

    /** A mistake of the value at {@code pointer}. */
    public Mistake mistake(String pointer, String problem, String fix) {
        var spot = spot(pointer);
        return mistake(spot, spot.value(), problem, fix);
    }

    /** A mistake of the name before the value at {@code pointer}. */
    public Mistake mistakeOfName(String pointer, String problem, String fix) {
        var spot = spot(pointer);
        return mistake(spot, spot.key() == null ? spot.value() : spot.key(), problem, fix);
    }

    private Mistake mistake(Spot spot, Node at, String problem, String fix) {
        return at.getStartMark()
                .map(mark -> new Mistake(file, mark.getLine() + 1, mark.getColumn() + 1, spot.field(), problem, fix))
                .orElseGet(() -> new Mistake(file, 0, 0, spot.field(), problem, fix));
    }

    private Spot spot(String pointer) {
        var spot = spots.get(pointer);
        return spot != null ? spot : spot(pointer.substring(0, pointer.lastIndexOf('/')));
    }

    /** A single value as it is written in the file: where a text is wanted, {@code 022} is not 22. */
    public Optional<String> written(String pointer) {
        return Optional.ofNullable(spots.get(pointer))
                .map(Spot::value)
                .filter(ScalarNode.class::isInstance)
                .map(node -> ((ScalarNode) node).getValue());
    }

    /** The pointer to the member {@code name} below {@code pointer}. */
    public static String below(String pointer, String name) {
        return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
    }
}

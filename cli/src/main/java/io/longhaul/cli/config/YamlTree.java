// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import tools.jackson.databind.JsonNode;

/**
 * A YAML file as a JSON tree whose values know their places in the file. Places are named by JSON pointers.
 *
 * @param file  as it was named
 * @param root  what {@link Mistakes} may take wrong values out of
 * @param spots where the values are, by their pointers
 */
record YamlTree(String file, JsonNode root, Map<String, Spot> spots) {

    /**
     * Where a value is in the file.
     *
     * @param field such as {@code tools[0].command}
     * @param key   the name before the value, or null where it has none
     */
    record Spot(String field, Node value, @Nullable Node key) {}

    /** A mistake of the value at {@code pointer}. */
    Mistake mistake(String pointer, String problem, String fix) {
        var spot = spot(pointer);
        return mistake(spot, spot.value(), problem, fix);
    }

    /** A mistake of the name before the value at {@code pointer}. */
    Mistake mistakeOfName(String pointer, String problem, String fix) {
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

    /** A single value as it is written in the file: {@code 022} is no 22 where a text is wanted. */
    Optional<String> written(String pointer) {
        return Optional.ofNullable(spots.get(pointer))
                .map(Spot::value)
                .filter(ScalarNode.class::isInstance)
                .map(node -> ((ScalarNode) node).getValue());
    }

    /** The pointer to what is {@code name} below {@code pointer}. */
    static String below(String pointer, String name) {
        return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import tools.jackson.databind.JsonNode;

/**
 * A YAML file as a JSON tree, with the place of each value in the file. JSON pointers name the values.
 *
 * @param file  the path as it was named
 * @param root  the tree, from which {@link Mistakes} may remove wrong values
 * @param spots the places of the values, by their pointers; those of values that are added are added
 */
public record YamlTree(String file, JsonNode root, Map<String, Spot> spots) {

    /**
     * The place of a value in the file.
     *
     * @param file  another file that has the value, or null
     * @param field such as {@code tools[0].command}
     * @param key   the name before the value, or null where the value has none
     */
    public record Spot(
            @Nullable String file,
            String field,
            Node value,
            @Nullable Node key) {
        Spot(String field, Node value, @Nullable Node key) {
            this(null, field, value, key);
        }

        /** This place, for a single value that another one was made of. */
        private Spot of(String text) {
            return new Spot(
                    file,
                    field,
                    new ScalarNode(Tag.STR, true, text, ScalarStyle.PLAIN, value.getStartMark(), value.getEndMark()),
                    key);
        }
    }

    /** The place of a value of this file, for values of another file that are made of it. */
    public Spot place(String pointer) {
        var spot = spot(pointer);
        return new Spot(file, spot.field(), spot.value(), spot.key());
    }

    /** The places of a value and the values in it, by the values themselves. */
    public Map<JsonNode, Spot> places(String pointer) {
        var places = new IdentityHashMap<JsonNode, Spot>();
        // Other values can be one object each wherever they stand.
        walk(pointer, root.at(pointer), (at, node) -> {
            if (node.isContainer() || node.isString()) {
                places.put(node, spot(at));
            }
        });
        return places;
    }

    /**
     * Adds a value that is not written in the file.
     *
     * @param places the places of the value and of values in it; a value without one has that of the value around it
     * @param made the place of the value, where it has none
     */
    public void add(String pointer, JsonNode value, Map<JsonNode, Spot> places, Spot made) {
        walk(pointer, value, (at, node) -> {
            var own = places.get(node);
            var around = spots.getOrDefault(at.substring(0, at.lastIndexOf('/')), made);
            var spot = own != null ? own : at.equals(pointer) ? made : around;
            spots.put(at, own == null && node.isValueNode() ? spot.of(node.asString("")) : spot);
        });
    }

    private static void walk(String at, JsonNode node, BiConsumer<String, JsonNode> each) {
        each.accept(at, node);
        node.properties().forEach(member -> walk(below(at, member.getKey()), member.getValue(), each));
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            walk(at + "/" + i, node.get(i), each);
        }
    }

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
        var named = spot.file() == null ? file : spot.file();
        return at.getStartMark()
                .map(mark -> new Mistake(named, mark.getLine() + 1, mark.getColumn() + 1, spot.field(), problem, fix))
                .orElseGet(() -> new Mistake(named, 0, 0, spot.field(), problem, fix));
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

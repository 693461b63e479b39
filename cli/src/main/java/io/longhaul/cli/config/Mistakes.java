// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is wrong with one file, as it is found. */
final class Mistakes {
    private static final Pattern INPUT = Pattern.compile("/tools/[^/]+/(input|elicit(/\\d+)?/fields)/[^/]+");

    private final YamlTree tree;
    private final List<Mistake> found = new ArrayList<>();
    private final List<Mistake> warnings = new ArrayList<>();
    private final Set<String> incomplete = new HashSet<>();

    Mistakes(YamlTree tree) {
        this.tree = tree;
    }

    /** The value at {@code pointer} is wrong. */
    void at(String pointer, String problem, String fix) {
        found.add(tree.mistake(pointer, problem, fix));
    }

    /** The value at {@code pointer} can be taken, and hardly means what its author wants. */
    void warn(String pointer, String problem, String fix) {
        warnings.add(tree.mistake(pointer, problem, fix));
    }

    /** The name before the value at {@code pointer} is wrong. */
    void atName(String pointer, String problem, String fix) {
        found.add(tree.mistakeOfName(pointer, problem, fix));
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /** All of them, in the order of the file. */
    List<Mistake> all() {
        return sorted(found);
    }

    /** What can be taken all the same, in the order of the file. */
    List<Mistake> warnings() {
        return sorted(warnings);
    }

    private static List<Mistake> sorted(List<Mistake> some) {
        return some.stream()
                .distinct()
                .sorted(Comparator.comparingInt(Mistake::line).thenComparingInt(Mistake::column))
                .toList();
    }

    /**
     * Does nothing where nothing was found.
     *
     * @throws ConfigException with all that was found
     */
    void refuse() {
        if (!found.isEmpty()) {
            throw new ConfigException(all());
        }
    }

    /**
     * Takes the value at {@code pointer} out of the tree, so that the rest can be looked at without it. An item of a
     * list becomes null: the others keep their places. An input becomes one of any type: places may name it.
     */
    void takeOut(String pointer) {
        int cut = pointer.lastIndexOf('/');
        var parent = parent(pointer);
        incomplete.add(pointer.substring(0, Math.max(cut, 0)));
        var name = JsonPointer.compile(cut < 0 ? "" : pointer.substring(cut)).getMatchingProperty();
        if (INPUT.matcher(pointer).matches() && parent.isPresent() && parent.get() instanceof ObjectNode inputs) {
            inputs.put(name, "string");
        } else if (parent.isPresent() && parent.get() instanceof ObjectNode object) {
            object.remove(name);
        } else if (parent.isPresent() && parent.get() instanceof ArrayNode array) {
            array.setNull(Integer.parseInt(name));
        }
    }

    /** Whether a field of the object at {@code pointer} was taken out: what it lacks may be what was meant by that. */
    boolean isIncomplete(String pointer) {
        return incomplete.contains(pointer);
    }

    private Optional<JsonNode> parent(String pointer) {
        int cut = pointer.lastIndexOf('/');
        return cut < 0 ? Optional.empty() : Optional.of(tree.root().at(pointer.substring(0, cut)));
    }
}

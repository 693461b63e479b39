// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

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

/** Collects the mistakes in one file. */
public final class Mistakes {
    private static final Pattern INPUT = Pattern.compile("/tools/[^/]+/(input|elicit(/\\d+)?/fields)/[^/]+");

    private final YamlTree tree;
    private final List<Mistake> found = new ArrayList<>();
    private final List<Mistake> warnings = new ArrayList<>();
    private final Set<String> incomplete = new HashSet<>();

    public Mistakes(YamlTree tree) {
        this.tree = tree;
    }

    /** The value at {@code pointer} is wrong. */
    void at(String pointer, String problem, String fix) {
        found.add(tree.mistake(pointer, problem, fix));
    }

    /** The value at {@code pointer} is valid, but probably not what its author means. */
    void warn(String pointer, String problem, String fix) {
        warnings.add(tree.mistake(pointer, problem, fix));
    }

    /** The name before the value at {@code pointer} is wrong. */
    void atName(String pointer, String problem, String fix) {
        found.add(tree.mistakeOfName(pointer, problem, fix));
    }

    /** Another file, which this one names, is wrong. */
    public void add(Mistake mistake) {
        found.add(mistake);
    }

    /** As {@link #add}, where this file can still be served. */
    public void addWarning(Mistake warning) {
        warnings.add(warning);
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /** All mistakes, in the order of the file. */
    public List<Mistake> all() {
        return sorted(found);
    }

    public List<Mistake> warnings() {
        return sorted(warnings);
    }

    private static List<Mistake> sorted(List<Mistake> some) {
        return some.stream()
                .distinct()
                .sorted(Comparator.comparingInt(Mistake::line).thenComparingInt(Mistake::column))
                .toList();
    }

    /**
     * Throws where there are mistakes.
     *
     * @throws ConfigException with all mistakes
     */
    public void refuse() {
        if (!found.isEmpty()) {
            throw new ConfigException(all());
        }
    }

    /**
     * Removes the value at {@code pointer} from the tree, so that the rest can be checked without it. An item of a list
     * becomes null, so that other items keep their places. An input becomes an input of any type, because places may
     * name it.
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

    /** Whether a field of the object at {@code pointer} was removed: a missing field may be the one that was meant. */
    boolean isIncomplete(String pointer) {
        return incomplete.contains(pointer);
    }

    /** Whether a value in the object at {@code pointer} was removed, at any depth. */
    public boolean isIncompleteBelow(String pointer) {
        return isIncomplete(pointer) || incomplete.stream().anyMatch(place -> place.startsWith(pointer + "/"));
    }

    private Optional<JsonNode> parent(String pointer) {
        int cut = pointer.lastIndexOf('/');
        return cut < 0 ? Optional.empty() : Optional.of(tree.root().at(pointer.substring(0, cut)));
    }
}

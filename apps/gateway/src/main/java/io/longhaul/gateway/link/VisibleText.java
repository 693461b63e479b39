// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes characters visible that hide text, or show it in another order: control characters, marks of direction, and
 * characters without a picture. A model reads what a person does not see, so that a definition could tell it more than
 * its deployer has seen.
 */
final class VisibleText {

    private static final Set<String> FOR_READERS = Set.of("description", "title");

    private VisibleText() {}

    static String of(String text) {
        if (text.codePoints().noneMatch(VisibleText::isHidden)) {
            return text;
        }
        var out = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (isHidden(c)) {
                Character.toString(c).chars().forEach(unit -> out.append(String.format("\\u%04x", unit)));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    /** A definition with visible texts for readers; names and values that calls contain stay as they are. */
    static Json in(Json definition) {
        var tree = JsonTree.read(definition);
        return show(tree) ? JsonTree.write(tree) : definition;
    }

    private static boolean show(JsonNode node) {
        boolean isChanged = false;
        for (var child : node.properties().stream().toList()) {
            var value = child.getValue();
            if (value.isString() && FOR_READERS.contains(child.getKey())) {
                var shown = of(value.stringValue());
                if (!shown.equals(value.stringValue())) {
                    ((ObjectNode) node).put(child.getKey(), shown);
                    isChanged = true;
                }
            }
            isChanged |= show(value);
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            isChanged |= show(node.get(i));
        }
        return isChanged;
    }

    private static boolean isHidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL -> c != '\n' && c != '\t' && c != '\r';
            case Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            // Joiners belong to words of several scripts, and to pictures.
            case Character.FORMAT -> c != 0x200C && c != 0x200D;
            default -> false;
        };
    }
}

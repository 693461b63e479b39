// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

import io.longhaul.file.tree.YamlTree.Spot;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads a YAML file into a tree of values that know their places. */
public final class YamlReader {
    private static final int MAX_DEPTH = 64;
    private static final String TOO_DEEP = "is nested deeper than " + MAX_DEPTH + " levels";

    /**
     * What is read, and how much of it.
     *
     * @param megabytes the most of them
     * @param values    the most of them: aliases repeat values, so a few lines could expand beyond the memory
     * @param wanted    what to name in place of another file
     */
    private record Kind(int megabytes, int values, String wanted) {
        static final Kind TOOLS = new Kind(3, 100_000, "a YAML file that lists tools");
        static final Kind DOCUMENT = new Kind(16, 1_000_000, "an OpenAPI document");

        int bytes() {
            return megabytes << 20;
        }
    }

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Pattern DECIMAL = Pattern.compile("[-+]?[0-9]+");

    private final String file;
    private final Kind kind;
    private final Map<String, Spot> spots = new HashMap<>();
    private final List<Mistake> mistakes = new ArrayList<>();

    /** The values around the present one: an alias of one of them would have no end. */
    private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());

    private YamlReader(String file, Kind kind) {
        this.file = file;
        this.kind = kind;
    }

    /**
     * Reads a file.
     *
     * @throws ConfigException where the file is no YAML, or has values that no file of tools can have
     */
    public static YamlTree read(Path path) {
        return read(path, bytes(path, Kind.TOOLS), Kind.TOOLS);
    }

    /** As {@link #read(Path)}, for a document that a file of tools names: YAML or JSON, and larger. */
    public static YamlTree readDocument(Path path) {
        return read(path, bytes(path, Kind.DOCUMENT), Kind.DOCUMENT);
    }

    /** As {@link #read(Path)}, where the bytes of the file were read already. */
    public static YamlTree read(Path path, byte[] bytes) {
        return read(path, bytes, Kind.TOOLS);
    }

    private static YamlTree read(Path path, byte[] bytes, Kind kind) {
        var reader = new YamlReader(path.toString(), kind);
        var root = reader.value(reader.composed(reader.text(bytes)), null, "", "");
        if (!reader.mistakes.isEmpty()) {
            throw new ConfigException(reader.mistakes);
        }
        return new YamlTree(reader.file, root, reader.spots);
    }

    private static byte[] bytes(Path path, Kind kind) {
        var file = path.toString();
        try (var in = Files.newInputStream(path)) {
            return in.readNBytes(kind.bytes() + 1);
        } catch (NoSuchFileException e) {
            throw refused(file, "there is no such file", "Name " + kind.wanted());
        } catch (IOException e) {
            throw refused(file, "the file cannot be read (" + e.getMessage() + ")", "Name one that this user may read");
        }
    }

    private String text(byte[] bytes) {
        if (bytes.length > kind.bytes()) {
            var fix = "Name " + kind.wanted() + ", or make several of it";
            throw refused(file, "the file is larger than " + kind.megabytes() + "MB", fix);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw refused(file, "the file is not UTF-8 text", "Save it as UTF-8");
        }
    }

    private static ConfigException refused(String file, String problem, String fix) {
        return new ConfigException(Mistake.of(file, problem, fix));
    }

    private Node composed(String text) {
        var settings = LoadSettings.builder()
                .setLabel(file)
                .setSchema(new CoreSchema())
                .setUseMarks(true)
                .setCodePointLimit(kind.bytes())
                .build();
        try {
            refuseDeep(file, new Parse(settings).parseString(text));
            return new Compose(settings)
                    .composeString(text)
                    .orElseThrow(() -> refused(file, "the file is empty", "Write a list of tools below \"tools:\""));
        } catch (MarkedYamlEngineException e) {
            var fix = "Look at the indentation (spaces, no tabs), the quotes and the colons up to here";
            var problem = "not YAML: " + e.getProblem();
            throw new ConfigException(e.getProblemMark()
                    .map(mark -> new Mistake(file, mark.getLine() + 1, mark.getColumn() + 1, "", problem, fix))
                    .orElseGet(() -> Mistake.of(file, problem, fix)));
        } catch (YamlEngineException e) {
            throw refused(file, "not YAML: " + e.getMessage().replaceFirst("\\.$", ""), "Write name: value pairs");
        }
    }

    /** Refuses values that are nested too deep before they are composed, which takes a part of the stack for each. */
    private static void refuseDeep(String file, Iterable<Event> events) {
        int depth = 0;
        for (var event : events) {
            depth += event instanceof CollectionStartEvent ? 1 : event instanceof CollectionEndEvent ? -1 : 0;
            if (depth > MAX_DEPTH + 1) {
                var mark = event.getStartMark();
                throw new ConfigException(new Mistake(
                        file,
                        mark.map(Mark::getLine).orElse(-1) + 1,
                        mark.map(Mark::getColumn).orElse(-1) + 1,
                        "",
                        TOO_DEEP,
                        "Make it flatter"));
            }
        }
    }

    private JsonNode value(Node node, @Nullable Node key, String pointer, String field) {
        var spot = new Spot(field, node, key);
        spots.put(pointer, spot);
        if (spots.size() > kind.values()) {
            throw new ConfigException(mistake(spot, "has too many values before it", "Use fewer aliases"));
        }
        if (pointer.chars().filter(c -> c == '/').count() > MAX_DEPTH) {
            mistakes.add(mistake(spot, TOO_DEEP, "Make it flatter"));
            return JSON.nullNode();
        }
        if (!open.add(node)) {
            mistakes.add(mistake(spot, "is an alias of a value around it, which has no end", "Write the value itself"));
            return JSON.nullNode();
        }
        var value = switch (node) {
            case MappingNode mapping -> object(mapping, pointer, field);
            case SequenceNode sequence -> array(sequence, pointer, field);
            default -> single((ScalarNode) node, spot);
        };
        open.remove(node);
        return value;
    }

    private Mistake mistake(Spot spot, String problem, String fix) {
        return new YamlTree(file, JSON.nullNode(), Map.of("", spot)).mistakeOfName("", problem, fix);
    }

    private JsonNode object(MappingNode mapping, String pointer, String field) {
        var object = JSON.objectNode();
        for (var tuple : mapping.getValue()) {
            var key = tuple.getKeyNode();
            // The YAML reader accepts only scalar keys.
            var name = ((ScalarNode) key).getValue();
            var inner = field.isEmpty() ? name : field + "." + name;
            if (object.has(name)) {
                mistakes.add(mistake(new Spot(inner, key, null), "is there twice", "Keep one of the two"));
            } else {
                object.set(name, value(tuple.getValueNode(), key, YamlTree.below(pointer, name), inner));
            }
        }
        return object;
    }

    private JsonNode array(SequenceNode sequence, String pointer, String field) {
        var array = JSON.arrayNode();
        for (var item : sequence.getValue()) {
            int index = array.size();
            array.add(value(item, null, pointer + "/" + index, field + "[" + index + "]"));
        }
        return array;
    }

    private JsonNode single(ScalarNode node, Spot spot) {
        var text = node.getValue();
        var tag = node.getTag();
        if (text.indexOf('\0') >= 0) {
            var problem = "has the character U+0000 in it, which no program takes";
            mistakes.add(mistake(new Spot(spot.field(), node, null), problem, "Leave it out"));
        }
        if (tag.equals(Tag.NULL)) {
            return JSON.nullNode();
        }
        if (tag.equals(Tag.BOOL)) {
            return JSON.booleanNode(text.equalsIgnoreCase("true"));
        }
        return tag.equals(Tag.INT) || tag.equals(Tag.FLOAT) ? number(text) : JSON.stringNode(text);
    }

    /** A number; one that JSON does not have, such as {@code .inf} or {@code 0x1F}, becomes a text. */
    private static JsonNode number(String text) {
        if (DECIMAL.matcher(text).matches()) {
            return text.length() < 10 ? JSON.numberNode(Integer.parseInt(text)) : JSON.numberNode(new BigInteger(text));
        }
        try {
            return JSON.numberNode(new BigDecimal(text));
        } catch (NumberFormatException e) {
            return JSON.stringNode(text);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.value;

import io.longhaul.engine.run.Template;
import io.longhaul.file.text.SimilarWord;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The names that the places of a tool's texts can use, and the names that they do use. */
public final class Placeholders {
    /** {@code ${name}}, <code>{ name }</code> and {@code <name>}. */
    private static final Pattern FOREIGN =
            Pattern.compile("\\$\\{(NAME)}|\\{\\s+(NAME)\\s*}|\\{(NAME)\\s+}|<(NAME)>".replace("NAME", Template.NAME));

    private final FileFields file;
    private final ObjectNode schema;
    private final boolean isUnknown;
    private final Set<String> values = new LinkedHashSet<>();
    private final Set<String> known = new LinkedHashSet<>();
    private final Set<String> always = new LinkedHashSet<>();
    private final Set<String> used = new LinkedHashSet<>();
    private boolean hasUnknown;

    /**
     * Takes the inputs of a tool.
     *
     * @param isUnknown whether some inputs of the file could not be read, so that no place can be reported as unknown
     */
    public Placeholders(FileFields file, ObjectNode schema, boolean isUnknown) {
        this.file = file;
        this.schema = schema;
        this.isUnknown = isUnknown;
        addAnswers("", schema);
    }

    /** Adds all properties of {@code schema}, which callers fill in. */
    public void addAnswers(String prefix, ObjectNode more) {
        add(prefix, more);
        more.path("properties").propertyNames().forEach(name -> values.add(prefix + name));
    }

    /** Adds all properties of {@code schema}, and which of them always have a value. */
    public void add(String prefix, ObjectNode more) {
        more.path("properties").properties().forEach(property -> {
            known.add(prefix + property.getKey());
            if (property.getValue().has("default")) {
                always.add(prefix + property.getKey());
            }
        });
        more.path("required").forEach(name -> always.add(prefix + name.asString("")));
    }

    /** The template at {@code at}, all of whose places are known, and none of which is written in another form. */
    public Template template(String at, @Nullable String text) {
        var written = text == null ? "" : text;
        for (var found : FOREIGN.matcher(written).results().toList()) {
            var name = name(found);
            boolean isTag = found.group().startsWith("<") && written.contains("</" + name + ">");
            if (known.contains(name) && !isTag) {
                used.add(name);
                var problem = FileFields.quote(found.group()) + " stays as it is";
                file.wrong(at, problem, "Write {" + name + "} for the input");
            }
        }
        return script(at, text);
    }

    /** Checks the places of the texts within JSON, as {@link #template} does. */
    public void check(String at, JsonNode json) {
        if (json.isString()) {
            template(at, json.stringValue());
        }
        json.properties().forEach(field -> check(YamlTree.below(at, field.getKey()), field.getValue()));
        for (int i = 0; json.isArray() && i < json.size(); i++) {
            check(at + "/" + i, json.get(i));
        }
    }

    private static String name(MatchResult found) {
        int group = 1;
        while (found.group(group) == null) {
            group++;
        }
        return found.group(group);
    }

    /** As {@link #template}, for a text in which other forms have meanings of their own. */
    public Template script(String at, @Nullable String text) {
        var template = Template.parse(text == null ? "" : text);
        for (var place : template.slots()) {
            used.add(place);
            if (!isUnknown && !known.contains(place) && !isField(place)) {
                hasUnknown = true;
                file.wrong(
                        at,
                        "{" + place + "} is no input of this tool",
                        (known.isEmpty() ? "It has no inputs." : SimilarWord.advice(place, known)) + " Write {{" + place
                                + "}} where the braces are meant as such");
            }
        }
        return template;
    }

    /** Whether a place is a field of an input that is an object. */
    private boolean isField(String place) {
        int dot = place.indexOf('.');
        var input = schema.path("properties").path(place.substring(0, Math.max(dot, 0)));
        boolean isObject = dot > 0 && input.path("type").asString("object").equals("object") && input.isObject();
        if (isObject) {
            used.add(place.substring(0, dot));
        }
        return isObject;
    }

    /** Marks all inputs and answers as used. */
    public void useAll() {
        used.addAll(values);
    }

    /** The places that texts have used since the last call. */
    public Set<String> takeUsed() {
        var taken = Set.copyOf(used);
        used.clear();
        return taken;
    }

    public void use(Set<String> places) {
        used.addAll(places);
    }

    /** Whether any text has this place. */
    public boolean isUsed(String place) {
        return used.contains(place);
    }

    /** Whether a value of the template can be missing. */
    public boolean canBeMissing(Template template) {
        return !always.containsAll(template.slots());
    }

    public boolean isList(String place) {
        return "array".equals(schema.path("properties").path(place).path("type").asString(""));
    }

    /** The inputs that no place was filled with so far; none where an unknown place may mean one of them. */
    public Set<String> unused() {
        return hasUnknown
                ? Set.of()
                : schema.path("properties").propertyNames().stream()
                        .filter(name -> !used.contains(name))
                        .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}

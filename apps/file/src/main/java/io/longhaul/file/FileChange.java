// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.file.settings.Limit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What differs between two versions of a file of tools, by what is written in them. Immutable. */
public record FileChange(JsonNode before, JsonNode after) {
    private static final String LIMITS = "limits";
    private static final String AUTH = "auth";
    private static final String KEYS = "keys";

    /** The fields whose members a running server takes one by one. */
    private static final List<String> MEMBERS = List.of("tools", "upstreams", "schedules", "triggers");

    /** The names below a field that are new, or written in another way. */
    Set<String> changed(String field) {
        var old = members(before, field);
        return members(after, field).entrySet().stream()
                .filter(member -> !member.getValue().equals(old.get(member.getKey())))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The names below a field that are there no longer. */
    Set<String> gone(String field) {
        var gone = new TreeSet<>(members(before, field).keySet());
        gone.removeAll(members(after, field).keySet());
        return gone;
    }

    /** The names below a field that are written as before. */
    Set<String> kept(String field) {
        var kept = new TreeSet<>(members(after, field).keySet());
        kept.removeAll(changed(field));
        return kept;
    }

    /** The members of an object, or of a list whose entries have names. */
    private static Map<String, JsonNode> members(JsonNode file, String field) {
        var members = new LinkedHashMap<String, JsonNode>();
        var node = file.path(field);
        node.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            members.put(node.get(i).path("name").asString(""), node.get(i));
        }
        return members;
    }

    /** What a running server takes, in words for its operator; empty where that is nothing. */
    public Optional<String> taken() {
        var taken = new ArrayList<String>();
        for (var field : MEMBERS) {
            var old = members(before, field).keySet();
            var words = Stream.concat(
                            changed(field).stream().map(name -> (old.contains(name) ? "~" : "+") + name),
                            gone(field).stream().map(name -> "-" + name))
                    .toList();
            if (!words.isEmpty()) {
                taken.add(field + " " + String.join(" ", words));
            }
        }
        limits(true).forEach(name -> taken.add(LIMITS + "." + name));
        if (changesKeys()) {
            taken.add(AUTH + "." + KEYS);
        }
        return taken.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", taken));
    }

    /** The fields that differ and that only the next start takes. */
    public List<String> left() {
        var left = new ArrayList<String>();
        Stream.of(before, after)
                .flatMap(file -> file.propertyNames().stream())
                .distinct()
                .filter(field -> !MEMBERS.contains(field) && !field.equals(LIMITS) && differs(field))
                .filter(field -> !field.equals(AUTH) || !changesKeys())
                .forEach(left::add);
        limits(false).forEach(name -> left.add(LIMITS + "." + name));
        return left;
    }

    /** Whether other keys are accepted, which are read again by themselves, and the authorization is as before else. */
    private boolean changesKeys() {
        return differs(AUTH)
                && before.has(AUTH)
                && after.has(AUTH)
                && otherThanKeys(before).equals(otherThanKeys(after));
    }

    private static JsonNode otherThanKeys(JsonNode file) {
        var auth = file.path(AUTH).deepCopy();
        return auth instanceof ObjectNode fields ? fields.without(KEYS) : auth;
    }

    /** What the server serves after this change: what is written now, but as before where that is {@link #left}. */
    public JsonNode served() {
        var served = (ObjectNode) after.deepCopy();
        left().stream().filter(name -> !name.startsWith(LIMITS + ".")).forEach(name -> restore(name, before, served));
        limits(false).forEach(name -> restore(name, before.path(LIMITS), served.withObjectProperty(LIMITS)));
        return served;
    }

    private static void restore(String field, JsonNode from, ObjectNode to) {
        if (from.has(field)) {
            to.set(field, from.get(field));
        } else {
            to.remove(field);
        }
    }

    private boolean differs(String field) {
        return !Objects.equals(before.get(field), after.get(field));
    }

    private Set<String> limits(boolean changing) {
        var names = changed(LIMITS);
        names.addAll(gone(LIMITS));
        names.removeIf(name -> Limit.named(name).filter(Limit::changes).isPresent() != changing);
        return names;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

import io.longhaul.file.text.WrittenDuration;
import io.longhaul.file.text.WrittenSize;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The fields of one file, by JSON pointers, after the check by the schema: each value has the form that its field
 * requires, or was removed. An absent field is null or empty.
 */
public final class FileFields {
    private final YamlTree tree;
    private final Mistakes mistakes;
    private final Map<String, String> env;
    private final Secrets secrets = new Secrets(new TreeMap<>(), new ArrayList<>());

    public FileFields(YamlTree tree, Mistakes mistakes) {
        this(tree, mistakes, Map.of());
    }

    /** @param env the variables that a command can inherit */
    public FileFields(YamlTree tree, Mistakes mistakes, Map<String, String> env) {
        this.tree = tree;
        this.mistakes = mistakes;
        this.env = Map.copyOf(env);
    }

    /** Warns of a variable that this process does not have. */
    public void checkVariable(String at, String name) {
        if (!env.containsKey(name)) {
            warn(at, "is a variable that is not set here", "Set it where the server is started");
        }
    }

    /** Notes that the value at {@code at} is a secret: in a variable, or in a file where that is null. */
    public void secret(String at, @Nullable String variable) {
        var field = at.substring(1).replace('/', '.');
        if (variable == null) {
            secrets.files().add(field);
        } else {
            secrets.variables().putIfAbsent(variable, field);
        }
    }

    /** The secrets that were read so far. */
    public Secrets secrets() {
        return secrets;
    }

    /** A variable of this process. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(env.get(name));
    }

    public YamlTree tree() {
        return tree;
    }

    public Mistakes mistakes() {
        return mistakes;
    }

    /** The value at {@code at} is wrong. */
    public void wrong(String at, String problem, String fix) {
        mistakes.at(at, problem, fix);
    }

    /** The name before the value at {@code at} is wrong. */
    public void wrongName(String at, String problem, String fix) {
        mistakes.atName(at, problem, fix);
    }

    /** The value at {@code at} is valid, but probably not what its author means. */
    public void warn(String at, String problem, String fix) {
        mistakes.warn(at, problem, fix);
    }

    /** The object at {@code at} lacks a field. One that was removed from it may be the one that was meant. */
    public void lacks(String at, String problem, String fix) {
        if (!mistakes.isIncomplete(at)) {
            wrong(at, problem, fix);
        }
    }

    /** Reports the field at {@code at} where any of these fields of an object is there, too. */
    public void apart(String at, String fix, String object, String... others) {
        for (var other : others) {
            if (has(at) && has(object + "/" + other)) {
                wrong(at, "stands beside " + other, fix);
            }
        }
    }

    public JsonNode node(String at) {
        return tree.root().at(at);
    }

    /** Whether there is a usable value. */
    public boolean has(String at) {
        var node = node(at);
        return !node.isMissingNode() && !node.isNull();
    }

    /** Whether the file has a value at this place that was removed. */
    public boolean isTakenOut(String at) {
        return tree.spots().containsKey(at) && !has(at);
    }

    /** The text of a value; a number or a boolean as it is written in the file. */
    @Nullable
    public String text(String at) {
        return has(at) ? tree.written(at).orElse(null) : null;
    }

    public String text(String at, String unsaid) {
        return Objects.requireNonNullElse(text(at), unsaid);
    }

    /** The texts of a value that is one text or a list. */
    public List<String> texts(String at) {
        return places(at).map(this::text).filter(text -> text != null).toList();
    }

    /** The places of the items of a list; for any other value, its own place. */
    public Stream<String> places(String at) {
        var node = node(at);
        if (!node.isArray()) {
            return has(at) ? Stream.of(at) : Stream.empty();
        }
        var places = new ArrayList<String>();
        for (int i = 0; i < node.size(); i++) {
            places.add(at + "/" + i);
        }
        return places.stream().filter(this::has);
    }

    public boolean flag(String at) {
        return node(at).asBoolean(false);
    }

    @Nullable
    public Integer number(String at) {
        return has(at) ? Integer.valueOf(node(at).intValue()) : null;
    }

    @Nullable
    public Duration duration(String at) {
        return parsed(at, "a duration", WrittenDuration::parse, WrittenDuration.ADVICE);
    }

    @Nullable
    public Long size(String at) {
        return parsed(
                at, "a size", text -> WrittenSize.parse(text).stream().boxed().findFirst(), WrittenSize.ADVICE);
    }

    /** An address with a host, and without user and fragment; empty where the text is no such address. */
    public static Optional<URI> address(String text) {
        try {
            var uri = new URI(text);
            boolean isPlain = uri.getRawUserInfo() == null && uri.getRawFragment() == null;
            return uri.getHost() != null && isPlain ? Optional.of(uri) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** The parsed value of a text. Reports mistakes that the schema cannot express. */
    public <T> @Nullable T parsed(String at, String what, Function<String, Optional<T>> parse, String fix) {
        var text = text(at);
        var value = Optional.ofNullable(text).flatMap(parse);
        if (text != null && value.isEmpty()) {
            mistakes.at(at, "must be " + what + ", but is " + quote(text), fix);
        }
        return value.orElse(null);
    }

    @Nullable
    public Pattern regex(String at) {
        var text = text(at);
        try {
            return text == null ? null : Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            var why = e.getDescription().toLowerCase(Locale.ROOT) + " at character " + (e.getIndex() + 1);
            mistakes.at(
                    at,
                    quote(text) + " is no regular expression: " + why,
                    "Put it in single quotes and write a backslash before each bracket that is meant as such");
            return null;
        }
    }

    public static String quote(String text) {
        return "\"" + (text.length() > 60 ? text.substring(0, 57) + "..." : text) + "\"";
    }
}

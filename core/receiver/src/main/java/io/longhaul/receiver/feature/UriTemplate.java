// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import io.longhaul.schema.CountedText;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URI template of RFC 6570, levels 1 to 3, which matches URIs. Every variable must be present and not empty, except
 * those of the operators {@code ;}, {@code ?} and {@code &}, which may be missing and come in any order. A match that
 * takes too long fails, because a URI can be crafted for that. Immutable.
 */
public final class UriTemplate {

    private static final int LONGEST = 2_048;

    /** The most characters that one match reads: about the square of the longest URI. */
    private static final int LOOKS = 4_000_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]+(\\.[A-Za-z0-9_]+)*");
    private static final String OPERATORS = "+#./;?&";
    private static final String UNRESERVED = "([A-Za-z0-9\\-._~%\\u00a1-\\x{10ffff}";
    private static final String RESERVED = ":/?#\\[\\]@!$&'()*+,;=";

    /** The end of a value, which must not fall within a percent-encoded character. */
    private static final String END_OF_VALUE = "]+(?<!%|%.))";

    private final String text;
    private final List<Group> groups = new ArrayList<>();
    private final Pattern pattern;

    /**
     * The content of a group of the pattern: the value of one variable, or pairs of names and values.
     *
     * @param separator between pairs, or null for a value
     */
    private record Group(List<String> names, @Nullable String separator) {

        /** Takes the values from the text of the group; false where the text does not have them. */
        boolean read(String text, Map<String, String> values) {
            if (separator == null) {
                return put(names.getFirst(), text, values);
            }
            for (String pair :
                    text.isEmpty() ? new String[0] : text.substring(1).split(separator, -1)) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                if (!names.contains(name) || !put(name, equals < 0 ? "" : pair.substring(equals + 1), values)) {
                    return false;
                }
            }
            return true;
        }

        private static boolean put(String name, String encoded, Map<String, String> values) {
            var value = decode(encoded);
            return value.isPresent() && values.putIfAbsent(name, value.get()) == null;
        }
    }

    private static final class TooManyLooksException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private UriTemplate(String text) {
        this.text = text;
        var regex = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf('{', at);
            literal(regex, text.substring(at, open < 0 ? text.length() : open));
            if (open < 0) {
                break;
            }
            int close = text.indexOf('}', open);
            if (close < 0) {
                throw refuse("a '{' is not closed");
            }
            expression(regex, text.substring(open + 1, close));
            at = close + 1;
        }
        if (groups.isEmpty()) {
            throw refuse("it has no variable: it is a resource of its own");
        }
        pattern = Pattern.compile(regex.toString());
    }

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException with the error in the template, in one sentence
     */
    public static UriTemplate of(String text) {
        return new UriTemplate(text);
    }

    public String text() {
        return text;
    }

    public List<String> variables() {
        return groups.stream().flatMap(group -> group.names().stream()).toList();
    }

    /**
     * The values of its variables in {@code uri}, decoded: a value can hold any character, such as {@code /} or
     * {@code ..}, and is not to be trusted as a path. Empty where the URI does not match this template.
     */
    public Optional<Map<String, String>> match(String uri) {
        if (uri.length() > LONGEST) {
            return Optional.empty();
        }
        var looks = new AtomicInteger();
        var found = pattern.matcher(new CountedText(uri, () -> {
            if (looks.incrementAndGet() > LOOKS) {
                throw new TooManyLooksException();
            }
        }));
        Map<String, String> values = new LinkedHashMap<>();
        try {
            boolean matches = found.matches();
            for (int i = 0; matches && i < groups.size(); i++) {
                matches = groups.get(i).read(found.group(i + 1), values);
            }
            return matches ? Optional.of(values) : Optional.empty();
        } catch (TooManyLooksException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UriTemplate that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }

    private void literal(StringBuilder regex, String literal) {
        if (literal.indexOf('}') >= 0) {
            throw refuse("a '}' closes nothing");
        }
        if (!literal.isEmpty()) {
            regex.append(Pattern.quote(literal));
        }
    }

    private void expression(StringBuilder regex, String expression) {
        if (expression.isEmpty()) {
            throw refuse("'{}' names no variable");
        }
        boolean simple = OPERATORS.indexOf(expression.charAt(0)) < 0;
        char operator = simple ? ' ' : expression.charAt(0);
        var names = List.of((simple ? expression : expression.substring(1)).split(",", -1));
        var known = new ArrayList<>(variables());
        for (String name : names) {
            if (!NAME.matcher(name).matches()) {
                throw refuse("'" + name + "' is no name of a variable; level 4, such as '*' and ':3', is not taken");
            }
            if (known.contains(name)) {
                throw refuse("the variable '" + name + "' is there twice");
            }
            known.add(name);
        }
        switch (operator) {
            case ';' -> pairs(regex, names, ";", "((?:;[^;/?#]*+)*+)");
            case '?' -> pairs(regex, names, "&", "((?:\\?[^&#]*+(?:&[^&#]*+)*+)?+)");
            case '&' -> pairs(regex, names, "&", "((?:&[^&#]*+)*+)");
            default -> values(regex, operator, names);
        }
    }

    private void pairs(StringBuilder regex, List<String> names, String separator, String group) {
        groups.add(new Group(names, separator));
        regex.append(group);
    }

    private void values(StringBuilder regex, char operator, List<String> names) {
        boolean prefixed = "#./".indexOf(operator) >= 0;
        if (!prefixed && regex.toString().endsWith(END_OF_VALUE)) {
            throw refuse("nothing stands between two variables, so that no URI tells where one ends");
        }
        String separator = operator == '.' || operator == '/' ? String.valueOf(operator) : ",";
        String first = prefixed ? String.valueOf(operator) : "";
        String characters = operator == '+' || operator == '#' ? UNRESERVED + RESERVED : UNRESERVED;
        for (String name : names) {
            literal(regex, name.equals(names.getFirst()) ? first : separator);
            groups.add(new Group(List.of(name), null));
            regex.append(characters).append(END_OF_VALUE);
        }
    }

    private IllegalArgumentException refuse(String problem) {
        return new IllegalArgumentException("the URI template '" + text + "' is not usable: " + problem);
    }

    /** The text without percent-encoding; empty where the encoding is invalid or the bytes are no UTF-8. */
    private static Optional<String> decode(String text) {
        var bytes = new ByteArrayOutputStream(text.length());
        int from = 0;
        for (int at = text.indexOf('%'); at >= 0; at = text.indexOf('%', from)) {
            if (!isHex(text, at + 1) || !isHex(text, at + 2)) {
                return Optional.empty();
            }
            bytes.writeBytes(text.substring(from, at).getBytes(StandardCharsets.UTF_8));
            bytes.write(Integer.parseInt(text, at + 1, at + 3, 16));
            from = at + 3;
        }
        bytes.writeBytes(text.substring(from).getBytes(StandardCharsets.UTF_8));
        try {
            var decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray()));
            return Optional.of(decoded.toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static boolean isHex(String text, int at) {
        return at < text.length() && Character.digit(text.charAt(at), 16) >= 0 && text.charAt(at) < 0x80;
    }
}

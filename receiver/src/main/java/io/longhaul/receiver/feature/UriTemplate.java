package io.longhaul.receiver.feature;

import io.longhaul.receiver.feature.TemplatePart.Literal;
import io.longhaul.receiver.feature.TemplatePart.Pairs;
import io.longhaul.receiver.feature.TemplatePart.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A URI template of RFC 6570, levels 1 to 3, to match URIs with. Every variable must be there and not empty, but for
 * those of the operators {@code ;}, {@code ?} and {@code &}, which may be missing and come in any order. The time of
 * a match is bounded by the square of the length of the URI, whatever the template is. Immutable.
 */
public final class UriTemplate {

    private static final int LONGEST = 2_048;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]+(\\.[A-Za-z0-9_]+)*");
    private static final String OPERATORS = "+#./;?&";

    private final String text;
    private final List<String> variables = new ArrayList<>();
    private final List<TemplatePart> parts = new ArrayList<>();

    private UriTemplate(String text) {
        this.text = text;
    }

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException with what is wrong with it, in one sentence
     */
    public static UriTemplate of(String text) {
        var template = new UriTemplate(text);
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf('{', at);
            int end = open < 0 ? text.length() : open;
            if (end > at) {
                template.literal(text.substring(at, end));
            }
            if (open < 0) {
                break;
            }
            int close = text.indexOf('}', open);
            if (close < 0) {
                throw template.refuse("a '{' is not closed");
            }
            template.expression(text.substring(open + 1, close));
            at = close + 1;
        }
        if (template.variables.isEmpty()) {
            throw template.refuse("it has no variable: it is a resource of its own");
        }
        return template;
    }

    public String text() {
        return text;
    }

    public List<String> variables() {
        return List.copyOf(variables);
    }

    /**
     * The values of its variables in {@code uri}, decoded: a value can hold any character, such as {@code /} or
     * {@code ..}, and is not to be trusted as a path. Empty where the URI is none of this template.
     */
    Optional<Map<String, String>> match(String uri) {
        if (uri.length() > LONGEST) {
            return Optional.empty();
        }
        var attempt = new Attempt(uri);
        return attempt.match(0, 0) ? Optional.of(attempt.values) : Optional.empty();
    }

    /** How many places of {@code uri} a match tries. */
    int cost(String uri) {
        var attempt = new Attempt(uri);
        attempt.match(0, 0);
        return attempt.tried;
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

    private void literal(String literal) {
        if (literal.indexOf('}') >= 0) {
            throw refuse("a '}' closes nothing");
        }
        parts.add(new Literal(literal));
    }

    private void expression(String expression) {
        if (expression.isEmpty()) {
            throw refuse("'{}' names no variable");
        }
        boolean simple = OPERATORS.indexOf(expression.charAt(0)) < 0;
        char operator = simple ? ' ' : expression.charAt(0);
        String[] names = (simple ? expression : expression.substring(1)).split(",", -1);
        for (String name : names) {
            if (!NAME.matcher(name).matches()) {
                throw refuse("'" + name + "' is no name of a variable; level 4, such as '*' and ':3', is not taken");
            }
            if (variables.contains(name)) {
                throw refuse("the variable '" + name + "' is there twice");
            }
            variables.add(name);
        }
        if (";?&".indexOf(operator) >= 0) {
            parts.add(new Pairs(operator, List.of(names)));
        } else {
            values(operator, names);
        }
    }

    private void values(char operator, String[] names) {
        boolean prefixed = "#./".indexOf(operator) >= 0;
        if (!prefixed && !parts.isEmpty() && parts.getLast() instanceof Value) {
            throw refuse("nothing stands between two variables, so that no URI tells where one ends");
        }
        String separator = operator == '.' || operator == '/' ? String.valueOf(operator) : ",";
        for (int i = 0; i < names.length; i++) {
            if (i > 0 || prefixed) {
                parts.add(new Literal(i == 0 ? String.valueOf(operator) : separator));
            }
            parts.add(new Value(names[i], operator == '+' || operator == '#'));
        }
    }

    private IllegalArgumentException refuse(String problem) {
        return new IllegalArgumentException("the URI template '" + text + "' is not usable: " + problem);
    }

    /** One match: a part that failed at a place is not tried there again. */
    private final class Attempt {

        private final String uri;
        private final Map<String, String> values = new LinkedHashMap<>();
        private final boolean[][] failed;
        private int tried;

        Attempt(String uri) {
            this.uri = uri;
            failed = new boolean[parts.size() + 1][uri.length() + 1];
        }

        boolean match(int part, int at) {
            tried++;
            if (part == parts.size()) {
                return at == uri.length();
            }
            if (failed[part][at]) {
                return false;
            }
            boolean matches = switch (parts.get(part)) {
                case Literal literal ->
                    uri.startsWith(literal.text(), at)
                            && match(part + 1, at + literal.text().length());
                case Value value -> value(value, part, at);
                case Pairs pairs -> pairs(pairs, part, at);
            };
            failed[part][at] = !matches;
            return matches;
        }

        private boolean pairs(Pairs pairs, int part, int at) {
            Map<String, String> read = new LinkedHashMap<>();
            int end = pairs.read(uri, at, read);
            boolean all = end >= 0 && match(part + 1, end);
            if (all) {
                values.putAll(read);
            }
            return all;
        }

        /** The longest value that lets the rest match. */
        private boolean value(Value value, int part, int at) {
            for (int end = value.end(uri, at); end > at; end--) {
                boolean splits = uri.charAt(end - 1) == '%' || end - 2 >= at && uri.charAt(end - 2) == '%';
                if (!splits && match(part + 1, end)) {
                    var decoded = TemplatePart.decode(uri.substring(at, end));
                    decoded.ifPresent(it -> values.put(value.name(), it));
                    return decoded.isPresent();
                }
            }
            return false;
        }
    }
}

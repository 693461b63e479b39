// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import io.longhaul.engine.run.Template;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An address with slots in its path and its query. A value stays inside one segment of the path or one value of
 * the query, whatever characters it contains.
 *
 * @param query parameters of the query by their names
 */
public record UrlTemplate(Template address, Map<String, Part> query) {

    private static final Set<String> STEPS = Set.of(".", "..");
    private static final Pattern SLASH = Pattern.compile("[/\\\\]");

    public UrlTemplate {
        query = Collections.unmodifiableMap(new TreeMap<>(query));
    }

    /** @throws IllegalArgumentException with a sentence that names the fault */
    public static UrlTemplate parse(String text) {
        var address = Template.parse(text);
        checkOrigin(text, address);
        try {
            checkUri(text, new URI(address.fill(name -> "x")));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'" + text + "' is no address: " + e.getReason(), e);
        }
        return new UrlTemplate(address, Map.of());
    }

    private static void checkOrigin(String text, Template address) {
        var begin = address.begin();
        int host = begin.indexOf("://") + "://".length();
        boolean isWhole = address.slots().isEmpty();
        if (!isWhole && (host < "://".length() || begin.indexOf('/', host) < 0)) {
            throw new IllegalArgumentException("'" + text + "' lets the caller choose the host");
        }
    }

    private static void checkUri(String text, URI uri) {
        var scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (!Set.of("http", "https").contains(scheme) || uri.getHost() == null) {
            throw new IllegalArgumentException("'" + text + "' must begin with http:// or https:// and a host");
        }
        if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "'" + text + "' must have neither a user nor a fragment; a secret belongs into a header");
        }
    }

    /**
     * Whether a segment would change the path. Encoded slashes count, since some servers decode a path before they
     * follow its steps.
     */
    public static boolean isStep(String segment) {
        return segment.isEmpty() || SLASH.splitAsStream(segment).anyMatch(STEPS::contains);
    }

    public UrlTemplate with(Map<String, Part> more) {
        return new UrlTemplate(address, more);
    }

    public Set<String> names() {
        var names = new LinkedHashSet<>(address.slots());
        query.values().forEach(part -> names.addAll(part.value().slots()));
        return names;
    }

    public UrlOrigin origin() {
        return UrlOrigin.of(URI.create(address.fill(name -> "x")));
    }

    /** @throws RefusedValueException when a value is missing, or would change the path */
    public URI fill(TemplateValues values) {
        var text = new StringBuilder();
        var segment = new Segment();
        boolean isPath = true;
        for (var piece : address.pieces()) {
            switch (piece) {
                case Template.Piece.Text(String part) -> {
                    text.append(part);
                    segment.add(part);
                    isPath &= !part.contains("?");
                }
                case Template.Piece.Slot(String name) -> {
                    var value = values.text(name);
                    text.append(values.listed(name));
                    if (isPath) {
                        segment.add(name, value);
                    }
                }
            }
        }
        segment.end();
        var more = Part.form(query, values);
        return URI.create(text + (more.isEmpty() ? "" : isPath ? "?" : "&") + more);
    }

    /** The segment of the path that is being filled. Several values, or a value and a text, may make a step. */
    private static final class Segment {
        private final StringBuilder text = new StringBuilder();
        private @Nullable String argument;
        private String value = "";

        void add(String piece) {
            for (char c : piece.toCharArray()) {
                if (c == '/' || c == '?') {
                    end();
                } else {
                    text.append(c);
                }
            }
        }

        void add(String argument, String value) {
            this.argument = argument;
            this.value = value;
            text.append(value);
        }

        void end() {
            if (argument != null && isStep(text.toString())) {
                throw new RefusedValueException("The argument '" + argument + "' must not be "
                        + (value.isEmpty() ? "empty." : "'" + value + "', which could lead to another path."));
            }
            text.setLength(0);
            argument = null;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import io.longhaul.engine.run.Template;
import io.longhaul.engine.secret.Secret;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The headers of the requests of a job.
 *
 * @param cookies by their names; one with a missing value is left out
 * @param key the name of the header for the idempotency key of a start, or null
 */
public record HeaderTemplates(
        Map<String, Template> texts,
        Map<String, Template> cookies,
        Map<String, SecretText> secrets,
        @Nullable String key) {

    private static final String COOKIE = "Cookie";

    /** A secret after a fixed text. */
    public record SecretText(String before, Secret secret) {}

    public HeaderTemplates {
        texts = Map.copyOf(texts);
        cookies = Collections.unmodifiableMap(new LinkedHashMap<>(cookies));
        secrets = Map.copyOf(secrets);
    }

    public Set<String> names() {
        return Stream.concat(texts.values().stream(), cookies.values().stream())
                .flatMap(text -> text.slots().stream())
                .collect(Collectors.toSet());
    }

    /**
     * The secrets by the names of their headers, without the texts before them.
     *
     * @throws SecretException where a secret cannot be read, or is not valid in a header
     */
    public Map<String, String> readSecrets() throws SecretException {
        return read(secrets);
    }

    static Map<String, String> read(Map<String, SecretText> secrets) throws SecretException {
        var read = new LinkedHashMap<String, String>();
        for (var secret : secrets.entrySet()) {
            try {
                var text = secret.getValue().secret().read();
                if (!isLegal(text)) {
                    throw new IOException("it has a line end or another control character");
                }
                read.put(secret.getKey(), text);
            } catch (IOException e) {
                throw new SecretException("the secret for " + secret.getKey() + " cannot be used", e);
            }
        }
        return read;
    }

    /** @throws RefusedValueException where a value is not valid in a header */
    public Map<String, String> fill(TemplateValues values) {
        var filled = new LinkedHashMap<String, String>();
        texts.forEach((name, template) -> values.value(template).ifPresent(value -> {
            var text = value.isArray() ? listed(value) : TemplateValues.asText(value);
            if (values.isOfCaller(template) && !(isLegal(text) && text.equals(text.strip()))) {
                throw new RefusedValueException(
                        "What the authorization of this caller says cannot stand in the header " + name + ".");
            }
            if (!isLegal(text)) {
                throw new RefusedValueException("An argument stands in the header " + name
                        + ", where it must be one line of ASCII characters.");
            }
            filled.put(name, text);
        }));
        cookies.forEach((name, template) -> values.value(template)
                .map(value -> name + "=" + PartStyle.encoded(TemplateValues.asText(value)))
                .ifPresent(cookie -> filled.merge(COOKIE, cookie, HeaderTemplates::joined)));
        return filled;
    }

    /** The items of a list, as a header has several values. */
    private static String listed(JsonNode list) {
        return list.valueStream().map(TemplateValues::asText).collect(Collectors.joining(","));
    }

    private static String joined(String some, String more) {
        return some + "; " + more;
    }

    /** Adds the value of a header: a cookie to the other cookies. */
    static void add(Map<String, String> headers, String name, String value) {
        if (name.equalsIgnoreCase(COOKIE)) {
            headers.merge(COOKIE, value, HeaderTemplates::joined);
        } else {
            headers.put(name, value);
        }
    }

    private static boolean isLegal(String text) {
        return text.chars().noneMatch(c -> c < ' ' && c != '\t' || c >= 0x7f);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import io.longhaul.engine.run.Template;
import io.longhaul.engine.secret.Secret;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The headers of the requests of a job.
 *
 * @param key the name of the header for the idempotency key of a start, or null
 */
public record HeaderTemplates(
        Map<String, Template> texts,
        Map<String, SecretText> secrets,
        @Nullable String key) {

    /** A secret after a fixed text. */
    public record SecretText(String before, Secret secret) {}

    public HeaderTemplates {
        texts = Map.copyOf(texts);
        secrets = Map.copyOf(secrets);
    }

    public Set<String> names() {
        return texts.values().stream().flatMap(text -> text.slots().stream()).collect(Collectors.toSet());
    }

    /**
     * The secrets by the names of their headers, without the texts before them.
     *
     * @throws SecretException where a secret cannot be read, or is not valid in a header
     */
    public Map<String, String> readSecrets() throws SecretException {
        var read = new LinkedHashMap<String, String>();
        for (var secret : secrets.entrySet()) {
            try {
                var text = secret.getValue().secret().read();
                if (!isLegal(text)) {
                    throw new IOException("it has a line end or another control character");
                }
                read.put(secret.getKey(), text);
            } catch (IOException e) {
                throw new SecretException("the secret for the header " + secret.getKey() + " cannot be used", e);
            }
        }
        return read;
    }

    /** @throws RefusedValueException where a value is not valid in a header */
    public Map<String, String> fill(TemplateValues values) {
        var filled = new LinkedHashMap<String, String>();
        texts.forEach((name, template) -> values.fill(template).ifPresent(text -> {
            if (!isLegal(text)) {
                throw new RefusedValueException("An argument stands in a header, where it must be one line.");
            }
            filled.put(name, text);
        }));
        return filled;
    }

    private static boolean isLegal(String text) {
        return text.chars().noneMatch(c -> c < ' ' && c != '\t' || c >= 0x7f);
    }
}

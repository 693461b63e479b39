// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.console.LoggedMessage.Body;
import io.longhaul.engine.secret.SecretMask;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Masks the secrets of messages: values of members whose names say that they are secret, the same values wherever else
 * they occur later, bearer tokens in texts, and the queries of addresses that questions send a person to. For one
 * thread at a time.
 */
final class MessageMask {

    private static final Pattern SECRET = Pattern.compile(
            "(?i)(pass(word|wd|phrase|code)s?|secrets?|(api|private|access|secret)[_-]?key|authorization"
                    + "|credentials?|cookie|requestState|(?<!progress)token)$");
    private static final Pattern BEARER = Pattern.compile("(?i)\\bbearer\\s+[\\w.~+/=-]+");
    private static final String MASK = "***";

    /** Shorter secrets are not looked for elsewhere: other text could contain them by chance. */
    private static final int SHORTEST = 8;

    private static final int MOST_SECRETS = 100;

    private final Predicate<String> isSecret;
    private final int longest;
    private final Set<String> secrets = Collections.newSetFromMap(BoundedMap.byUse(MOST_SECRETS));

    /**
     * @param isSecret whether the values of members with this name are secrets that the application has declared
     * @param longest  the most bytes of a text
     */
    MessageMask(Predicate<String> isSecret, int longest) {
        this.isSecret = isSecret;
        this.longest = longest;
    }

    Body body(Json message) {
        var out = new JsonWriter();
        write(message, false, out);
        var masked = out.toJson().bytes();
        boolean isCut = masked.length > longest;
        var mask = SecretMask.of(secrets);
        var shown = isCut ? mask.maskHead(Arrays.copyOf(masked, longest)) : mask.mask(masked);
        var text = BEARER.matcher(new String(shown, UTF_8)).replaceAll("Bearer " + MASK);
        return new Body(text, message.size(), isCut);
    }

    private void write(Json value, boolean hidden, JsonWriter out) {
        switch (value.kind()) {
            case OBJECT -> write(JsonReader.members(value), out);
            case ARRAY -> {
                out.beginArray();
                JsonReader.elements(value).forEach(element -> write(element, hidden, out));
                out.endArray();
            }
            case STRING, NUMBER -> {
                if (hidden && !TaskId.isWellFormed(JsonReader.shown(value))) {
                    remember(JsonReader.shown(value));
                    out.string(MASK);
                } else {
                    out.raw(value);
                }
            }
            default -> out.raw(value);
        }
    }

    private void write(JsonMembers members, JsonWriter out) {
        boolean isAddress = members.has("elicitationId") || "url".equals(members.text("mode"));
        out.beginObject();
        members.asMap().forEach((name, value) -> {
            out.name(name);
            if (isAddress && name.equals("url") && value.kind() == Json.Kind.STRING) {
                out.string(JsonReader.text(value).replaceFirst("(?s)[?#].*", "?" + MASK));
            } else {
                write(value, SECRET.matcher(name).find() || isSecret.test(name), out);
            }
        });
        out.endObject();
    }

    private void remember(String secret) {
        if (secret.length() >= SHORTEST) {
            secrets.add(secret);
        }
    }
}

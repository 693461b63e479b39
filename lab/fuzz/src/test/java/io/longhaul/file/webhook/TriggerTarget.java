// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.engine.run.Sha256;
import io.longhaul.file.webhook.TriggerEntry.Content;
import io.longhaul.fuzz.Target;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.transport.Site.Call;
import java.io.IOException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JsonPointer;

/**
 * Input: the name of a trigger, headers a line each, an empty line and a body. A header {@code Sign} has the delivery
 * signed under the id that it holds. Whatever is not signed gets 401, and what is signed one of the answers that the
 * page of triggers lists.
 */
public final class TriggerTarget implements Target {

    private static final byte[] KEY = "correct horse".getBytes(UTF_8);
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private static final Set<Integer> OF_SIGNED = Set.of(200, 400, 401, 415, 503);

    private final Triggers triggers = new Triggers(
            List.of(
                    entry("plain", SignatureScheme.STANDARD, Map.of()),
                    entry("github", SignatureScheme.GITHUB, Map.of("ref", JsonPointer.compile("/ref")))),
            Map.of(),
            () -> NOW);

    private static TriggerEntry entry(String name, SignatureScheme scheme, Map<String, JsonPointer> taken) {
        var content = new Content(JsonTree.object().put("fixed", true), taken);
        return new TriggerEntry(name, "tool", env -> List.of(() -> "correct horse"), scheme, Set.of(), content);
    }

    private record Delivery(String rest, Map<String, String> headers, byte[] sent) implements Call {
        @Override
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }

        @Override
        public Optional<byte[]> body() {
            return Optional.of(sent);
        }
    }

    @Override
    public void feed(byte[] input) throws IOException {
        var text = new String(input, ISO_8859_1);
        int end = text.indexOf("\n\n");
        var head = (end < 0 ? text : text.substring(0, end)).lines().toList();
        var body = (end < 0 ? "" : text.substring(end + 2)).getBytes(ISO_8859_1);
        if (head.isEmpty()) {
            return;
        }
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        for (var line : head.subList(1, head.size())) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.putIfAbsent(
                        line.substring(0, colon), line.substring(colon + 1).strip());
            }
        }
        boolean isSigned = headers.containsKey("Sign");
        if (isSigned) {
            sign(headers, headers.get("Sign"), body);
        }
        var answer = triggers.take(new Delivery(head.getFirst(), headers, body));
        var said = new String(answer.body(), UTF_8);
        Target.require(
                isSigned ? OF_SIGNED.contains(answer.status()) : answer.status() == 401,
                "%s is answered with %s",
                text,
                answer.status());
        Target.require(JsonTree.read(answer.body()).isObject(), "the answer is no object: %s", said);
        Target.require(!said.toLowerCase(Locale.ROOT).contains("exception"), "errors inside are told: %s", said);
    }

    private static void sign(Map<String, String> headers, String id, byte[] body) {
        headers.put(SignedHeaders.ID, id);
        headers.put(SignedHeaders.TIME, Long.toString(NOW.getEpochSecond()));
        headers.put(SignedHeaders.SIGNATURE, Signatures.sign(KEY, id, NOW.getEpochSecond(), body));
        headers.put(SignedHeaders.GITHUB_ID, id);
        headers.put(SignedHeaders.GITHUB_SIGNATURE, "sha256=" + HexFormat.of().formatHex(Sha256.keyed(KEY, body)));
    }
}

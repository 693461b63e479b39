// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.engine.run.MessageText;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * An answer of an API.
 *
 * @param uri   the address of the request
 * @param isCut whether the body is longer than the limit, and was cut
 */
@SuppressWarnings("ArrayRecordComponent")
record ApiAnswer(URI uri, int status, HttpHeaders headers, byte[] body, boolean isCut) implements ApiHead {

    static final int ACCEPTED = 202;
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int TIMEOUT = 408;
    static final int CONFLICT = 409;
    static final int GONE = 410;
    static final int TOO_EARLY = 425;
    static final int TOO_MANY = 429;

    private static final int SERVER_ERRORS = 5;
    private static final int BAD_GATEWAY = 502;
    private static final int GATEWAY_TIMEOUT = 504;

    /** Whether the same request may get another answer a little later. */
    boolean isPassing() {
        return status / ApiHead.HUNDRED == SERVER_ERRORS
                || status == TIMEOUT
                || status == TOO_EARLY
                || status == TOO_MANY;
    }

    /** Whether the API, or a proxy before it, says that it cannot take the request now. */
    boolean isUnavailable() {
        return status == TOO_MANY || status >= BAD_GATEWAY && status <= GATEWAY_TIMEOUT;
    }

    /** Whether the same request may get another answer with another token. */
    boolean isDenied() {
        return status == UNAUTHORIZED || status == FORBIDDEN;
    }

    /** The body as JSON; a missing node where the body is not JSON. */
    JsonNode json() {
        if (body.length == 0 || isCut) {
            return MissingNode.getInstance();
        }
        try {
            return JsonMapper.shared().readTree(body);
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    Optional<Duration> retryAfter(Instant now) {
        return AskedPause.of(headers, now);
    }

    /** The error that the body describes, in a few lines; empty where the body has no readable text. */
    String error(Mapping mapping) {
        var json = json();
        var said = mapping.has(Field.ERROR)
                ? mapping.find(Field.ERROR, json).map(Values::asText)
                : Stream.of("/error/message", "/error", "/message", "/detail", "/title")
                        .flatMap(place -> Mapping.string(json, place).stream())
                        .findFirst();
        return MessageText.cut(said.orElseGet(this::readable).strip());
    }

    private String readable() {
        var type = mediaType();
        boolean isText = type.equals("text/plain") || type.endsWith("json") || type.isEmpty();
        return isText ? new String(body, UTF_8) : "";
    }
}

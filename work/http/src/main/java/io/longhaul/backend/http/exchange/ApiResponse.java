// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * A response of an API.
 *
 * @param uri   the address of the request
 * @param isCut whether the body is longer than the limit, and was cut
 */
@SuppressWarnings("ArrayRecordComponent")
public record ApiResponse(URI uri, int status, HttpHeaders headers, byte[] body, boolean isCut)
        implements ResponseHead {

    public static final int ACCEPTED = 202;
    public static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int TIMEOUT = 408;
    public static final int CONFLICT = 409;
    static final int GONE = 410;
    static final int TOO_EARLY = 425;
    public static final int TOO_MANY = 429;

    private static final int SERVER_ERRORS = 5;
    private static final int BAD_GATEWAY = 502;
    private static final int GATEWAY_TIMEOUT = 504;

    public ApiResponse with(byte[] other) {
        return new ApiResponse(uri, status, headers, other, isCut);
    }

    /** The response at an address without secrets. */
    public ApiResponse at(URI shown) {
        return new ApiResponse(shown, status, headers, body, isCut);
    }

    /** Whether the same request may get another response a little later. */
    public boolean isPassing() {
        return status / ResponseHead.HUNDRED == SERVER_ERRORS
                || status == TIMEOUT
                || status == TOO_EARLY
                || status == TOO_MANY;
    }

    /** Whether the API, or a proxy before it, says that it cannot take the request now. */
    public boolean isUnavailable() {
        return status == TOO_MANY || status >= BAD_GATEWAY && status <= GATEWAY_TIMEOUT;
    }

    /** Whether the same request may get another response with another token. */
    public boolean isDenied() {
        return status == UNAUTHORIZED || status == FORBIDDEN;
    }

    /** The body as JSON; a missing node where the body is not JSON. */
    public JsonNode json() {
        if (body.length == 0 || isCut) {
            return MissingNode.getInstance();
        }
        try {
            return JsonMapper.shared().readTree(body);
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    public Optional<Duration> retryAfter(Instant now) {
        return AskedPause.of(headers, now);
    }

    /** The body as text; empty where it is no text. */
    public String readable() {
        var type = mediaType();
        boolean isText = type.equals("text/plain") || type.endsWith("json") || type.isEmpty();
        return isText ? new String(body, UTF_8) : "";
    }
}

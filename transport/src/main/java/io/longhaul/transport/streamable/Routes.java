package io.longhaul.transport.streamable;

import io.longhaul.protocol.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which paths are served.
 *
 * @param path      of Streamable HTTP
 * @param legacySse whether the two paths of the deprecated HTTP with SSE are served too
 * @param documents JSON that everybody may read, by its path
 */
public record Routes(String path, boolean legacySse, Map<String, Json> documents) {

    /** Where a stream of the deprecated transport is opened. */
    public static final String SSE = "/sse";

    static final String MESSAGES = "/messages";

    /** What is served at a path. */
    enum Route {
        STREAMABLE("GET, POST, DELETE, OPTIONS"),
        LEGACY_STREAM("GET, OPTIONS"),
        LEGACY_MESSAGES("POST, OPTIONS"),
        DOCUMENT("GET, HEAD, OPTIONS");

        private final String methods;

        Route(String methods) {
            this.methods = methods;
        }

        /** The methods, as the header {@code Allow} has them. */
        String methods() {
            return methods;
        }

        boolean takes(String method) {
            return (", " + methods + ", ").contains(", " + method + ", ");
        }
    }

    public Routes {
        documents = Map.copyOf(documents);
        if (legacySse && (path.equals(SSE) || path.equals(MESSAGES))) {
            throw new IllegalStateException("The path " + path
                    + " is taken by the deprecated HTTP with SSE: choose another, or do without that transport");
        }
    }

    /** What is served at {@code asked}, or null for nothing. */
    @Nullable
    Route find(String asked) {
        if (asked.equals(path)) {
            return Route.STREAMABLE;
        }
        if (documents.containsKey(asked)) {
            return Route.DOCUMENT;
        }
        if (!legacySse) {
            return null;
        }
        return switch (asked) {
            case SSE -> Route.LEGACY_STREAM;
            case MESSAGES -> Route.LEGACY_MESSAGES;
            default -> null;
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import org.jspecify.annotations.Nullable;

/**
 * The distributed trace that a request belongs to, in the formats of W3C Trace Context and W3C Baggage.
 *
 * @param parent  {@code traceparent}, or null where the caller sends no trace
 * @param state   {@code tracestate}, or null
 * @param baggage {@code baggage}, or null
 */
public record Trace(
        @Nullable String parent,
        @Nullable String state,
        @Nullable String baggage) {

    /** No trace. */
    public static final Trace NONE = new Trace(null, null, null);
}

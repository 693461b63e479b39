// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.client.StreamEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The position up to which a stream of a server was read: where and when it can be resumed. For one thread. */
public final class StreamPosition {

    @Nullable
    String event;

    private Duration retry = Duration.ZERO;
    private Duration busy = Duration.ZERO;
    private int events;

    /** Whether the stream belongs to one request, so that no other request can be answered on it. */
    boolean ofOneRequest = true;

    /** Another request that was answered on the stream of one request. */
    @Nullable
    RequestId stray;

    void answered(@Nullable RequestId other) {
        stray = ofOneRequest ? other : stray;
    }

    void move(StreamEvent next) {
        events++;
        busy = Duration.ZERO;
        event = next.id() == null ? event : next.id();
        retry = next.retry() == null ? retry : next.retry();
    }

    /** The server cannot resume the stream now, and wants the client to wait. */
    void busy(Duration retryAfter) {
        busy = retryAfter;
    }

    /** How long the server wants the client to wait before it resumes. */
    public Duration retry() {
        return busy.compareTo(retry) > 0 ? busy : retry;
    }

    public int events() {
        return events;
    }
}

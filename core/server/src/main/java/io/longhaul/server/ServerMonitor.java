// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.receiver.observe.ServerObserver;
import java.util.Optional;

/** Monitors a server, for example for metrics. The server calls each method at most once. Thread-safe. */
public interface ServerMonitor {

    /**
     * Wraps the store of the server in a store that passes each call on, and may count calls. Called before the server
     * starts, where the server has a store.
     */
    default TaskStore around(TaskStore store) {
        return store;
    }

    /**
     * Wraps the receiver of all messages in one that passes each call on, and may read messages in both directions.
     * Called before the server starts.
     */
    default Endpoint around(Endpoint endpoint) {
        return endpoint;
    }

    /** The interceptor of this monitor around handlers, after the interceptors that were added before. */
    default Optional<CallInterceptor> interceptor() {
        return Optional.empty();
    }

    /** The observer of this monitor for all that the server does for its callers. */
    default Optional<ServerObserver> observer() {
        return Optional.empty();
    }

    /** Called when the server has started. */
    default void started(McpServer server) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.receiver.observe.ServerObserver;
import java.util.Optional;

/** What looks on while a server works, such as metrics. Nothing of it is called more often than said. Thread-safe. */
public interface ServerMonitor {

    /**
     * The store that the server is to use in place of its own: one that passes each call on, and may count it. Asked
     * once, before the server starts, where the server has a store.
     */
    default TaskStore around(TaskStore store) {
        return store;
    }

    /** What it has stand around handlers, behind what was added before; asked once. */
    default Optional<CallInterceptor> interceptor() {
        return Optional.empty();
    }

    /** What it has told of all that the server does for its callers; asked once. */
    default Optional<ServerObserver> observer() {
        return Optional.empty();
    }

    /** The server serves from now on. Called once. */
    default void started(McpServer server) {}
}

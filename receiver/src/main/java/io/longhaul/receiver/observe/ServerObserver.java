// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

/**
 * Hears what a server does for its callers, whatever generation they speak: for audit, metrics and logs. It is called
 * on the threads that serve, some of them with locks held: it must not block, and what it throws is logged and not
 * passed on. Thread-safe.
 */
@FunctionalInterface
public interface ServerObserver {

    void on(ServerEvent event);
}

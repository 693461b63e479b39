// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

/**
 * Receives what a server does for its callers in all generations: for audit, metrics and logs. The server calls an
 * observer on its serving threads, some of which hold locks: an observer must not block. The server logs the exceptions
 * of an observer and goes on. Thread-safe.
 */
@FunctionalInterface
public interface ServerObserver {

    void on(ServerEvent event);
}

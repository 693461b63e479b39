// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

/** What was asked for until this is closed: that a listener is told, or that an action runs later. */
public interface Registration extends AutoCloseable {
    @Override
    void close();
}

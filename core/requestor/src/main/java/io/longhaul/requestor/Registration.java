// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

/** A registered listener, or a scheduled action; {@link #close} ends the registration. */
public interface Registration extends AutoCloseable {
    @Override
    void close();
}

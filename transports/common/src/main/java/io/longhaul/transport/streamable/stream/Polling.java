// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.stream;

import java.time.Duration;

/**
 * The times with which clients poll a resumable stream, in place of holding it open.
 *
 * @param open  how long a connection is held
 * @param retry the time after which a client shall reconnect
 */
public record Polling(Duration open, Duration retry) {

    public Polling {
        if (open.isNegative() || open.isZero() || retry.isNegative()) {
            throw new IllegalArgumentException(
                    "A stream is held open for some time, and asked for again after none or some: not " + open + ", "
                            + retry);
        }
    }
}

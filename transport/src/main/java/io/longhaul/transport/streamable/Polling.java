// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import java.time.Duration;

/**
 * How clients are made to poll a stream that they can resume, in place of holding it open.
 *
 * @param open  a connection is held this long
 * @param retry after this a client is to come back
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

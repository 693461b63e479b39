// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.time.Duration;

/** Passes the time between two requests. */
@FunctionalInterface
interface Sleep {

    /** Returns when so much time has passed. */
    void pass(Duration time) throws InterruptedException;
}

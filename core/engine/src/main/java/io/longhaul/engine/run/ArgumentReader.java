// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import io.longhaul.engine.task.Payload;

/**
 * Reads the arguments of a call from its request. Thread-safe. The module that knows the format of requests provides a
 * reader.
 *
 * @param <A> the arguments as a backend takes them
 */
@FunctionalInterface
public interface ArgumentReader<A> {

    /**
     * The arguments of a call.
     *
     * @throws RunException when the request cannot be read; its outcome is what the caller is told
     */
    A read(Payload request);
}

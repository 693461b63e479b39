// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.engine.task.Payload;
import java.util.List;
import java.util.Map;

/**
 * Reads the arguments of a call out of its request. Thread-safe; the module that knows the format of requests provides
 * it.
 */
@FunctionalInterface
public interface ArgumentReader {

    /**
     * The values of each argument as text: one for a plain argument, any number for a list, and no entry for an
     * argument that was not given.
     *
     * @throws io.longhaul.engine.run.RunException when the request cannot be read; its outcome is what the caller is
     *         told
     */
    Map<String, List<String>> read(Payload request);
}

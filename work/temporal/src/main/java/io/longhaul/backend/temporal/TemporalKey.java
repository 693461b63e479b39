// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.backend.temporal.request.TemporalServer;
import java.io.IOException;

/** An API key of Temporal, which must be neither stored nor logged. The key is read for each request. Thread-safe. */
@FunctionalInterface
public interface TemporalKey extends TemporalServer.Key {

    /** @throws IOException with a sentence for the operator when the key cannot be read */
    @Override
    String read() throws IOException;
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.secret;

import java.io.IOException;

/**
 * A text that must be neither stored nor logged, such as a token. The secret is read each time that work needs it.
 * Thread-safe.
 */
@FunctionalInterface
public interface Secret {

    /** @throws IOException with a sentence for the operator when the secret cannot be read */
    String read() throws IOException;
}

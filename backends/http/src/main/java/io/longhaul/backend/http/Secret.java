// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.io.IOException;

/** A text that no record and no log may have, such as a token. It is read whenever a request needs it. Thread-safe. */
@FunctionalInterface
public interface Secret {

    /** @throws IOException with a sentence for the operator when it cannot be read */
    String read() throws IOException;
}

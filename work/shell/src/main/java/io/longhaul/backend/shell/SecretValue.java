// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import java.io.IOException;

/** A secret for the environment of a command, read at each start of a job. Thread-safe. */
@FunctionalInterface
public interface SecretValue {

    /** @throws IOException with a sentence for the operator, where the secret cannot be read */
    String read() throws IOException;
}

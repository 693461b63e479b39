// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.registration;

import java.util.Optional;

/** Keeps secret texts under names. Thread-safe. */
public interface SecretStore {

    /**
     * The text under a name.
     *
     * @throws java.io.UncheckedIOException with a message that says what to do
     */
    Optional<String> load(String name);

    /** Keeps a text under a name, in place of any earlier text. */
    void save(String name, String secret);

    /** Removes the text under a name, if there is one. */
    void remove(String name);
}

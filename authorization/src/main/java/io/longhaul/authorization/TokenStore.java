// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Keeps the tokens of a client, and its registrations with authorization servers, as texts under names. Each text is a
 * secret. A host may implement this over the keychain of its system. Thread-safe.
 */
public interface TokenStore {

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

    /** A store in memory, which is lost with the process. */
    static TokenStore inMemory() {
        return new MemoryTokenStore();
    }

    /**
     * A store in a file that only its user can read, and that several processes may share. The file and its folder are
     * created at the first write.
     */
    static TokenStore file(Path file) {
        return new FileTokenStore(file);
    }
}

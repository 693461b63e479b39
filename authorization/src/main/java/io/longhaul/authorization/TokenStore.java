// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a client keeps its tokens, and its registrations with authorization servers: texts under names, each of them a
 * secret. A host may implement it over the keychain of its system. Thread-safe.
 */
public interface TokenStore {

    /**
     * The text under a name.
     *
     * @throws java.io.UncheckedIOException with a message that says what to do
     */
    Optional<String> load(String name);

    /** Keeps a text under a name, in place of the one before. */
    void save(String name, String secret);

    /** Forgets the text under a name, if there is one. */
    void remove(String name);

    /** Forgets everything with the process. */
    static TokenStore inMemory() {
        return new MemoryTokenStore();
    }

    /**
     * A file that its user alone can read, which several processes may share. The file, and the folder for it, are made
     * when something is kept.
     */
    static TokenStore file(Path file) {
        return new FileTokenStore(file);
    }
}

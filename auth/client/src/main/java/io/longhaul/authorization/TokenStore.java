// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import io.longhaul.authorization.registration.SecretStore;
import java.nio.file.Path;

/**
 * Keeps the tokens of a client, and its registrations with authorization servers, as texts under names. Each text is a
 * secret. A host may implement this over the keychain of its system. Thread-safe.
 */
public interface TokenStore extends SecretStore {

    /**
     * Waits until nobody else holds a name, and then holds the name: while a refresh token is used, no other holder of
     * this store may use it, because authorization servers end a login whose refresh token is used twice. Closed by the
     * thread that holds the name. By default, this keeps the users of this object apart; a store that several processes
     * share has to keep these apart too.
     */
    default Hold hold(String name) {
        return MemoryTokenStore.hold(this, name);
    }

    /** The hold of a name, which ends with {@link #close}. */
    interface Hold extends AutoCloseable {
        @Override
        void close();
    }

    /** A store in memory, which is lost with the process. */
    static TokenStore inMemory() {
        return new MemoryTokenStore();
    }

    /**
     * A store in a file that only its user can read, and that several processes may share. The file and its folder are
     * created at the first write. A process that is stopped while it holds a name is waited for for a minute at most.
     */
    static TokenStore file(Path file) {
        return new FileTokenStore(file);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import java.util.Optional;

/** Passes each call on to another store: the base of stores that watch how they are used. */
abstract class PassingTokenStore implements TokenStore {

    private final TokenStore store;

    PassingTokenStore(TokenStore store) {
        this.store = store;
    }

    @Override
    public Optional<String> load(String name) {
        return store.load(name);
    }

    @Override
    public void save(String name, String secret) {
        store.save(name, secret);
    }

    @Override
    public void remove(String name) {
        store.remove(name);
    }

    @Override
    public Hold hold(String name) {
        return store.hold(name);
    }
}

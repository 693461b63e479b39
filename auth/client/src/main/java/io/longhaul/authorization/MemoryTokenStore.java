// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps secrets as long as the process lives. */
final class MemoryTokenStore implements TokenStore {

    private static final Map<TokenStore, Map<String, ReentrantLock>> HELD =
            Collections.synchronizedMap(new WeakHashMap<>());

    private final Map<String, String> secrets = new ConcurrentHashMap<>();

    @Override
    public Optional<String> load(String name) {
        return Optional.ofNullable(secrets.get(name));
    }

    @Override
    public void save(String name, String secret) {
        secrets.put(name, secret);
    }

    @Override
    public void remove(String name) {
        secrets.remove(name);
    }

    /** Holds a name of a store for a thread of this process. */
    static Hold hold(TokenStore store, String name) {
        var lock = HELD.computeIfAbsent(store, any -> new ConcurrentHashMap<>())
                .computeIfAbsent(name, any -> new ReentrantLock());
        lock.lock();
        return lock::unlock;
    }
}

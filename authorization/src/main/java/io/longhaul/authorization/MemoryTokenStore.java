// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps secrets as long as the process lives. */
final class MemoryTokenStore implements TokenStore {

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
}

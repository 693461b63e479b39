// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.net.URI;
import java.util.Set;

/**
 * The hosts that a job may call.
 *
 * @param own    those of its addresses, which get its headers
 * @param others those that an address which the API names may lead to; they get none, since such an address is enough
 *               by itself
 */
record Hosts(Set<Origin> own, Set<Origin> others) {

    Hosts {
        own = Set.copyOf(own);
        others = Set.copyOf(others);
    }

    boolean isOwn(URI uri) {
        return own.contains(Origin.of(uri));
    }

    boolean isAllowed(URI uri) {
        return isOwn(uri) || others.contains(Origin.of(uri));
    }
}

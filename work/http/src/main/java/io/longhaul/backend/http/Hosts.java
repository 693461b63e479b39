// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.net.URI;
import java.util.Set;

/**
 * The hosts that a job may call.
 *
 * @param own    the hosts of the job's addresses, which get its headers
 * @param others other hosts that addresses of the API may lead to; they get no headers, because such an address needs
 *               none
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

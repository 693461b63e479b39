// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import java.net.URI;

/** How a client comes to be authorized at a server over HTTP, such as by OAuth. */
@FunctionalInterface
public interface Authorization {

    /** What authorizes requests to the server at an address. */
    RequestAuthorizer at(URI server);
}

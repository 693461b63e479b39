// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport.client;

import java.net.URI;

/** A way to authorize a client at a server over HTTP, such as OAuth. */
@FunctionalInterface
public interface Authorization {

    /** The authorizer of requests to the server at an address. */
    RequestAuthorizer at(URI server);
}

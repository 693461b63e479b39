// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import java.io.IOException;
import java.util.function.Function;

/**
 * A client that acts for itself, as a workload that its platform identifies: "operates as an autonomous workload", by
 * the extension {@code io.modelcontextprotocol/auth/wif} (SEP-1933, a draft). "No client identifiers" are needed; the
 * id of a manual registration is sent.
 *
 * @param platform gives a signed token of the workload for an issuer
 */
record WorkloadIdentity(Function<String, String> platform) implements Grant {

    @Override
    public StoredTokens tokens(AuthorizationServer server, TokenEndpoint.Wanted wanted, Parts parts)
            throws IOException {
        Assertion.checkTaken(server);
        var grant = Assertion.of(() -> platform.apply(server.issuer())).grant();
        return parts.endpoint()
                .ask(server, parts.registrations().own(server), grant, wanted)
                .withoutRefresh();
    }
}

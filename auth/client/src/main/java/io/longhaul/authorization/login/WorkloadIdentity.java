// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.login;

import io.longhaul.authorization.discovery.AuthorizationServer;
import io.longhaul.authorization.token.Assertion;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.authorization.token.TokenEndpoint;
import java.io.IOException;
import java.util.function.Function;

/**
 * A client that acts for itself, as a workload that its platform identifies: "operates as an autonomous workload", by
 * the extension {@code io.modelcontextprotocol/auth/wif} (SEP-1933, a draft). "No client identifiers" are needed; the
 * id of a manual registration is sent.
 *
 * @param platform gives a signed token of the workload for an issuer
 */
public record WorkloadIdentity(Function<String, String> platform) implements Grant {

    @Override
    public StoredTokens tokens(AuthorizationServer server, TokenEndpoint.RequestedAccess wanted, Parts parts)
            throws IOException {
        Assertion.checkTaken(server);
        var grant = Assertion.of(() -> platform.apply(server.issuer())).grant();
        return parts.endpoint()
                .ask(server, parts.registrations().own(server), grant, wanted)
                .withoutRefresh();
    }
}

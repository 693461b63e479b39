// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import java.net.URI;
import java.util.List;

/** The well-known addresses of authorization documents. */
public final class WellKnown {

    private static final String OAUTH = "/.well-known/oauth-authorization-server";
    private static final String OPENID = "/.well-known/openid-configuration";

    private WellKnown() {}

    /**
     * The possible addresses of the metadata of an issuer: "Clients MUST try endpoints in the following priority
     * order."
     *
     * @param issuer an absolute address
     */
    public static List<URI> ofIssuer(URI issuer) {
        var origin = issuer.getScheme() + "://" + issuer.getRawAuthority();
        var path = String.valueOf(issuer.getRawPath()).replaceFirst("/$", "");
        return path.isEmpty()
                ? List.of(URI.create(origin + OAUTH), URI.create(origin + OPENID))
                : List.of(
                        URI.create(origin + OAUTH + path),
                        URI.create(origin + OPENID + path),
                        URI.create(origin + path + OPENID));
    }
}

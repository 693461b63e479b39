// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import io.longhaul.protocol.transport.WellKnown;
import java.io.IOException;
import java.net.URI;
import tools.jackson.databind.JsonNode;

/** What an authorization server says of itself (RFC 8414, OpenID Connect Discovery). */
record IssuerMetadata(BoundedHttp fetch, String issuer) {

    /** An address of the metadata, such as {@code jwks_uri}. */
    URI address(String member) throws IOException {
        var value = document().path(member).asString("");
        if (value.isEmpty()) {
            throw new IOException("the metadata of " + issuer + " have no " + member);
        }
        try {
            return Addresses.check("the " + member + " of " + issuer, value);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private JsonNode document() throws IOException {
        for (var place : WellKnown.ofIssuer(URI.create(issuer))) {
            var answer = fetch.get(place);
            if (answer.isOk()) {
                var document = answer.json();
                // "The issuer value returned MUST be identical to the authorization server's issuer identifier."
                if (!document.path("issuer").asString("").equals(issuer)) {
                    throw new IOException(place + " is about another issuer than " + issuer
                            + ": name the issuer exactly as its metadata do");
                }
                return document;
            }
        }
        throw new IOException("the authorization server " + issuer + " has no metadata at its well-known places");
    }
}

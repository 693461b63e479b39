// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.testkit.talk.ClientWire;
import io.longhaul.testkit.talk.HttpWire;
import io.longhaul.testkit.talk.WebRequests;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Real HTTP; a header says who sends a request. */
final class WebWay implements Way {

    static final String SUBJECT = "Test-Subject";

    private final Http http = Http.onPort(0)
            .principals(header -> new Resolution.Granted(
                    new Principal(header.apply(SUBJECT).orElseThrow(), Principal.Kind.AUTHORIZED)));

    @Override
    public List<ServerTransport> transports() {
        return List.of(http);
    }

    @Override
    public Way another() {
        return new WebWay();
    }

    @Override
    public ClientWire wire(String subject) {
        return wire(http::url, subject);
    }

    /** A client of whatever is at an address. */
    static ClientWire wire(Supplier<URI> at, String subject) {
        return new HttpWire(new WebRequests(at, Map.of(SUBJECT, subject)));
    }
}

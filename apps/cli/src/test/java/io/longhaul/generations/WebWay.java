// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.transport.http.Http;
import java.util.List;

/** Real HTTP; a header says who sends a request. */
final class WebWay implements HttpWay {

    private final Http http = Http.onPort(0)
            .principals(header -> new Resolution.Granted(
                    new Principal(header.apply(WebRequests.SUBJECT).orElseThrow(), Principal.Kind.AUTHORIZED)));

    @Override
    public List<ServerTransport> transports() {
        return List.of(http);
    }

    @Override
    public Way another() {
        return new WebWay();
    }

    @Override
    public Requests requests(String subject) {
        return new WebRequests(http::url, subject);
    }
}

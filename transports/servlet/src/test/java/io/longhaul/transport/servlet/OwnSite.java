// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.transport.http.Http;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The server of HTTP of our own. */
record OwnSite(Http http) implements Site {

    static Site with(@Nullable PrincipalResolver principals) {
        var http = Http.onPort(0)
                .keepAlive(KEEP_ALIVE)
                .timeout(TIMEOUT)
                .limits(LIMITS)
                .site(PAGES);
        return new OwnSite(principals == null ? http : http.principals(principals));
    }

    @Override
    public ServerTransport transport() {
        return http;
    }

    @Override
    public void open() {}

    @Override
    public URI url() {
        return http.url();
    }

    @Override
    public void close() {
        http.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport.client;

import java.util.Map;
import java.util.Set;

/** An authorizer that does what another one does, but for what a subclass changes. As thread-safe as that one. */
public abstract class ForwardingAuthorizer implements RequestAuthorizer {

    private final RequestAuthorizer to;

    /** @param to the other one */
    protected ForwardingAuthorizer(RequestAuthorizer to) {
        this.to = to;
    }

    @Override
    public Map<String, String> headers(String method) throws TransportException {
        return to.headers(method);
    }

    @Override
    public void heard(ServerReply reply, Map<String, String> sent) {
        to.heard(reply, sent);
    }

    @Override
    public Set<String> extensions() {
        return to.extensions();
    }

    @Override
    public boolean renew(Refusal refusal) throws TransportException {
        return to.renew(refusal);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.caller;

import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.TransportException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Headers with fixed or read values, and those of an authorization, which take precedence. */
public record JoinedHeaders(RequestAuthorizer values, RequestAuthorizer authorizer) implements RequestAuthorizer {

    @Override
    public Map<String, String> headers(String method) throws TransportException {
        var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(values.headers(method));
        all.putAll(authorizer.headers(method));
        return all;
    }

    @Override
    public void heard(ServerReply reply, Map<String, String> sent) {
        authorizer.heard(reply, sent);
    }

    @Override
    public Set<String> extensions() {
        return authorizer.extensions();
    }

    @Override
    public boolean renew(Refusal refusal) throws TransportException {
        return authorizer.renew(refusal);
    }
}

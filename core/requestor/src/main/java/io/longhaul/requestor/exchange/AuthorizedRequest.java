// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.RequestAuthorizer.Refusal;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.TransportException;
import java.util.Map;
import java.util.TreeMap;

/**
 * One HTTP request with its authorization. The request is repeated each time that a refusal has led to a new
 * authorization. That is safe: the server has not carried out a refused request.
 *
 * @param request the request, whose time limit does not include the time for an authorization
 * @param method  the HTTP method
 * @param headers of the request itself, which an authorization cannot replace
 */
record AuthorizedRequest(
        RequestAuthorizer authorizer,
        PendingRequest request,
        String method,
        Map<String, String> headers,
        Sending sending)
        implements ExchangeResult.Attempt<ServerReply> {

    /** "Retry the original request with the new authorization no more than a few times". */
    static final int RETRIES = 3;

    /** Sends the HTTP request with all of its headers. */
    interface Sending {
        ServerReply with(Map<String, String> headers) throws TransportException;
    }

    @Override
    public ServerReply run() throws TransportException {
        for (int attempt = 1; true; attempt++) {
            var added = request.untimed(() -> authorizer.headers(method));
            var reply = sending.with(with(added));
            authorizer.heard(reply, added);
            if (!Refusal.isRefusal(reply.status()) || attempt > RETRIES || !isRenewed(reply, added, attempt)) {
                return reply;
            }
            reply.close();
        }
    }

    private Map<String, String> with(Map<String, String> added) {
        var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(added);
        all.putAll(headers);
        return all;
    }

    private boolean isRenewed(ServerReply reply, Map<String, String> added, int attempt) throws TransportException {
        var refusal = new Refusal(reply.status(), reply.headers("WWW-Authenticate"), added, attempt);
        try {
            return request.untimed(() -> authorizer.renew(refusal));
        } catch (TransportException | RuntimeException e) {
            reply.close();
            throw e;
        }
    }
}

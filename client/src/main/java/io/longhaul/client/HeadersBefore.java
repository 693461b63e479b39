package io.longhaul.client;

import io.longhaul.protocol.transport.RequestAuthorizer;
import io.longhaul.protocol.transport.TransportException;
import java.util.Map;
import java.util.TreeMap;

/** The host's own headers, and those of an authorization, which win. */
record HeadersBefore(Map<String, String> own, RequestAuthorizer authorizer) implements RequestAuthorizer {

    @Override
    public Map<String, String> headers() throws TransportException {
        var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(own);
        all.putAll(authorizer.headers());
        return all;
    }

    @Override
    public boolean renew(Refusal refusal) throws TransportException {
        return authorizer.renew(refusal);
    }
}

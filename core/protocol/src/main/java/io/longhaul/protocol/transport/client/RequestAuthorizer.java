// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport.client;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Authorizes the HTTP requests of a client to one server: "authorization MUST be included in every HTTP request from
 * client to server". Thread-safe. Its methods may block, as while a person logs in, and an interrupt ends them.
 */
public interface RequestAuthorizer {

    /** Adds nothing to requests. */
    RequestAuthorizer NONE = fixed(Map.of());

    /** Adds the same headers to each request, and cannot renew them for a server that refuses them. */
    static RequestAuthorizer fixed(Map<String, String> headers) {
        var always = Map.copyOf(headers);
        return new RequestAuthorizer() {
            @Override
            public Map<String, String> headers(String method) {
                return always;
            }

            @Override
            public boolean renew(Refusal refusal) {
                return false;
            }
        };
    }

    /**
     * This authorizer, with further headers of another one, over which its own take precedence. The other one hears no
     * replies, and renews nothing.
     */
    default RequestAuthorizer over(RequestAuthorizer values) {
        return new ForwardingAuthorizer(this) {
            @Override
            public Map<String, String> headers(String method) throws TransportException {
                var further = values.headers(method);
                var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
                all.putAll(super.headers(method));
                further.forEach(all::putIfAbsent);
                return all;
            }
        };
    }

    /**
     * The headers to add to a request that is about to be sent to the server.
     *
     * @param method the method of HTTP, such as {@code POST}: a proof may be valid for one method alone
     * @throws TransportException where the authorizer has no headers; the request is not sent
     */
    Map<String, String> headers(String method) throws TransportException;

    /**
     * Hears how the server has answered a request, also where it refused the request. Does not block, and leaves the
     * body and the end of the reply to others.
     *
     * @param sent the headers that this authorizer had added
     */
    default void heard(ServerReply reply, Map<String, String> sent) {}

    /**
     * The identifiers of the extensions that this authorizer uses: "clients declare support in the `extensions` field
     * of the `io.modelcontextprotocol/clientCapabilities` they send". None by default.
     */
    default Set<String> extensions() {
        return Set.of();
    }

    /**
     * Gets the authorization that a refused request lacks, such as another token. The request was not carried out, so
     * that it may be sent again: a 401 says "that the request has not been applied", and a 403 that the server "refuses
     * to fulfill it" (RFC 9110, 15.5.2 and 15.5.4).
     *
     * @return whether the request is worth sending again, with new {@link #headers}
     * @throws TransportException where the authorization failed, with a sentence for the user
     */
    boolean renew(Refusal refusal) throws TransportException;

    /**
     * A request that the server has refused.
     *
     * @param status     401 or 403
     * @param challenges the values of all {@code WWW-Authenticate} headers
     * @param sent       the headers that this authorizer had added
     * @param attempt    how often the request was refused, including this time; counted from 1
     */
    record Refusal(int status, List<String> challenges, Map<String, String> sent, int attempt) {
        public Refusal {
            challenges = List.copyOf(challenges);
            sent = Map.copyOf(sent);
        }

        /** Whether the status asks for an authorization, or for a better one. */
        public static boolean isRefusal(int status) {
            return status == 401 || status == 403;
        }

        /** A text without the tokens. */
        @Override
        public String toString() {
            return "HTTP " + status + " " + challenges + ", attempt " + attempt;
        }
    }
}

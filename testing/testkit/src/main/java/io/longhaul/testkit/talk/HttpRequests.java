// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.talk;

import io.longhaul.fakes.ClientReply;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.Principal;
import java.util.Map;
import java.util.function.Supplier;

/** The HTTP requests of one client. */
public interface HttpRequests<R extends ClientReply> {

    R send(String method, String body, Map<String, String> headers);

    /** @param transport that of the server to which the next request goes */
    static HttpRequests<MemoryReply> inMemory(Supplier<MemoryTransport> transport, Principal principal) {
        return (method, body, headers) -> switch (method) {
            case "POST" -> transport.get().post(principal, body, headers);
            case "GET" -> transport.get().get(principal, headers);
            case "DELETE" -> transport.get().delete(principal, headers);
            default -> throw new IllegalArgumentException(method);
        };
    }

    default R post(String message, Map<String, String> headers) {
        return send("POST", message, headers);
    }

    default R get(Map<String, String> headers) {
        return send("GET", "", headers);
    }

    default R delete(Map<String, String> headers) {
        return send("DELETE", "", headers);
    }
}

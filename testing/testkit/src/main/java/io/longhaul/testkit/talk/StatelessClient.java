// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.talk;

import io.longhaul.fakes.ClientReply;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** A client of 2026-07-28 over HTTP, each of whose requests stands alone. Thread-safe. */
public class StatelessClient<R extends ClientReply> {

    public static final String TASKS = "{\"elicitation\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";

    private final HttpRequests<R> requests;
    private final String capabilities;
    private final AtomicInteger ids = new AtomicInteger();

    public StatelessClient(HttpRequests<R> requests, String capabilities) {
        this.requests = requests;
        this.capabilities = capabilities;
    }

    public static StatelessClient<WebReply> to(URI address, String capabilities) {
        return new StatelessClient<>(WebRequests.to(address), capabilities);
    }

    public R send(String method, Object params) {
        return send(method, params, Map.of());
    }

    /** @param more headers */
    public R send(String method, Object params, Map<String, String> more) {
        return post(
                Messages.request(ids.incrementAndGet(), method, Messages.alone(params.toString(), capabilities)), more);
    }

    public R call(String tool, String arguments) {
        return send("tools/call", Messages.call(tool, arguments));
    }

    public R tell(String method, Object params) {
        return post(Messages.notification(method, Messages.alone(params.toString(), capabilities)), Map.of());
    }

    /** The response, whole. */
    public JsonNode ask(String method, Object params) {
        return Messages.read(send(method, params).response());
    }

    private R post(String message, Map<String, String> more) {
        var headers = Messages.headers(Messages.read(message));
        headers.putAll(more);
        return requests.post(message, headers);
    }
}

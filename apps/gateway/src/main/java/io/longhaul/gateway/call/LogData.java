// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.call;

import io.longhaul.client.CallUpdate;
import io.longhaul.gateway.link.UpstreamServer;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;

/** Log lines of an upstream, as they are passed on. */
final class LogData {

    private LogData() {}

    /** The part of the upstream that wrote a line; the upstream itself where the line names none. */
    static String logger(CallUpdate.Log line, UpstreamServer upstream) {
        return line.logger() == null ? upstream.name() : line.logger();
    }

    /** The JSON that the upstream sent; a line that was cut off becomes a text. */
    static Json of(String text) {
        var json = Json.raw(text);
        try {
            JsonTree.read(json);
            return json;
        } catch (RuntimeException e) {
            return JsonTree.write(JsonTree.object().put("text", text).path("text"));
        }
    }
}

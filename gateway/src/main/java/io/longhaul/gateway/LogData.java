// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;

/** What a log line of an upstream says. */
final class LogData {

    private LogData() {}

    /** The JSON that the upstream sent; a long one was cut off, and is a text. */
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

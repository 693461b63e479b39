// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;

/** The content of a log line of an upstream. */
final class LogData {

    private LogData() {}

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

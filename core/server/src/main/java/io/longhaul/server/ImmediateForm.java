// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.server.internal.schema.Values;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Computes the immediate response to a call of a long-running tool, in the form of the protocol. */
final class ImmediateForm {

    private static final Logger LOG = LoggerFactory.getLogger(ImmediateForm.class);

    private ImmediateForm() {}

    static Function<Json, @Nullable Json> of(Tool tool, LongRunning options) {
        var computed = tool.immediate;
        if (computed != null) {
            return arguments -> compute(tool, computed, arguments);
        }
        String text = options.immediate;
        if (text == null) {
            return arguments -> null;
        }
        Json always = json(List.of(Content.text(text)));
        return arguments -> always;
    }

    /** Null where the computation fails: the call then goes on without an immediate response. */
    private static @Nullable Json compute(
            Tool tool, Function<Object, @Nullable List<Content>> computed, Json arguments) {
        try {
            List<Content> content = computed.apply(tool.bound(Values.tree(arguments)));
            return content == null ? null : json(content);
        } catch (RuntimeException e) {
            LOG.warn("tool {} has no immediate result for a call of it", tool.name(), e);
            return null;
        }
    }

    private static Json json(List<Content> content) {
        var out = new JsonWriter();
        ContentForm.write(content, out);
        return out.toJson();
    }
}

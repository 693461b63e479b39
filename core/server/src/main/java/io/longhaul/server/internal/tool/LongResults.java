// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.tool;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.MessageText;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.receiver.task.TaskResources;
import io.longhaul.server.internal.schema.Values;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Work whose texts are not too long for a model: of a longer one the caller gets the beginning and the end, with a link
 * to the whole, which the task keeps.
 *
 * @param most the longest text, in bytes
 */
record LongResults(Backend work, int most) implements Backend {

    private static final int CONTINUATION_MASK = 0xC0;
    private static final int CONTINUATION = 0x80;

    @Override
    public Outcome run(Run run) throws Exception {
        return shortened(run.id(), work.run(run));
    }

    @Override
    public void stop(Run run) throws InterruptedException {
        work.stop(run);
    }

    @Override
    public Outcome timedOut(Run run, Outcome.Failed end) {
        return shortened(run.id(), work.timedOut(run, end));
    }

    @Override
    public @Nullable String cancelled(Run run, @Nullable String reason) {
        return work.cancelled(run, reason);
    }

    @Override
    public boolean isBoundToNode() {
        return work.isBoundToNode();
    }

    private Outcome shortened(TaskId task, Outcome outcome) {
        if (!(outcome instanceof Outcome.Result(var stored, boolean isError)) || stored.size() <= most) {
            return outcome;
        }
        var result = (ObjectNode) Values.tree(stored);
        var items = JsonNodeFactory.instance.arrayNode();
        int texts = 0;
        for (var item : result.path("content")) {
            items.add(item);
            var text = item.path("text").asString("");
            var bytes = text.getBytes(UTF_8);
            if (bytes.length > most) {
                var uri = TaskResources.uri(task, ++texts == 1 ? "result" : "result/" + texts);
                var type = result.has("structuredContent") && text.startsWith("{") ? "application/json" : "text/plain";
                ((ObjectNode) item).put("text", ends(bytes, uri));
                link(items, uri, type, bytes.length);
                result.withObjectProperty(Meta.META)
                        .withArrayProperty(Meta.KEPT)
                        .addObject()
                        .put("uri", uri)
                        .put("mimeType", type)
                        .put("text", text);
            }
        }
        result.set("content", items);
        return new Outcome.Result(Values.payload(result), isError);
    }

    private static void link(ArrayNode items, String uri, String type, int size) {
        items.addObject()
                .put("type", "resource_link")
                .put("uri", uri)
                .put("name", "the whole text")
                .put("mimeType", type)
                .put("size", size);
    }

    /** The first and the last half of what fits, of whole characters. */
    private String ends(byte[] text, String uri) {
        int half = most / 2;
        int end = MessageText.complete(Arrays.copyOf(text, half));
        int tail = text.length - half;
        while (tail < text.length && (text[tail] & CONTINUATION_MASK) == CONTINUATION) {
            tail++;
        }
        var left = "\n[... " + (tail - end) + " bytes are left out here; the whole text is at " + uri + " ...]\n";
        return new String(text, 0, end, UTF_8) + left + new String(text, tail, text.length - tail, UTF_8);
    }
}

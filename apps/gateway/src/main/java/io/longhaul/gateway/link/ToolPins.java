// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import io.longhaul.gateway.link.Listing.ListedTool;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of each change of a tool's definition, and holds it back at an upstream that is pinned until an operator
 * accepts it: a server that was harmless when it was chosen can say something else to models later. What an upstream
 * lists first is accepted. Accepted definitions are rows of the store. Not thread-safe.
 */
public final class ToolPins {

    private static final Logger LOG = LoggerFactory.getLogger(ToolPins.class);
    private static final String SPACE = "upstream-pin";

    private final RowStore rows;
    private final Map<String, List<String>> held = new HashMap<>();

    public ToolPins(RowStore rows) {
        this.rows = rows;
    }

    /** Logs what differs between two lists of an upstream. */
    public static void tell(UpstreamServer upstream, Listing before, Listing now) {
        now.tools().forEach((name, tool) -> {
            var old = before.tools().get(name);
            if (old != null && !old.equals(tool)) {
                LOG.warn(
                        "the tool {} of {} has another definition than before: {}",
                        VisibleText.of(name),
                        upstream,
                        differences(old, tool));
            }
        });
    }

    private static String differences(ListedTool old, ListedTool tool) {
        var before = JsonTree.read(old.definition());
        var now = JsonTree.read(tool.definition());
        var names = new TreeSet<>(before.propertyNames());
        names.addAll(now.propertyNames());
        names.removeIf(name -> before.path(name).equals(now.path(name)));
        return names.isEmpty() ? "the way it is called" : VisibleText.of(String.join(", ", names));
    }

    /** What is served of the list of an upstream: all of it, unless changes are held back. */
    public Listing served(UpstreamServer upstream, Listing listed) {
        if (!upstream.offer().pinned()) {
            held.remove(upstream.name());
            return listed;
        }
        var accepted = rows.get(SPACE, upstream.name(), Instant.EPOCH)
                .map(row -> Listing.parse(Json.raw(row.value().bytes())).tools());
        if (accepted.isEmpty()) {
            accept(upstream, listed);
            return listed;
        }
        var tools = new LinkedHashMap<String, ListedTool>();
        var waiting = new ArrayList<String>();
        listed.tools().forEach((name, tool) -> {
            var known = Optional.ofNullable(accepted.get().get(name));
            known.ifPresent(old -> tools.put(name, old));
            if (!known.equals(Optional.of(tool))) {
                waiting.add(VisibleText.of(name));
            }
        });
        if (!waiting.isEmpty() && !waiting.equals(held.put(upstream.name(), waiting))) {
            LOG.warn(
                    "{} has new or changed definitions, which are held back until they are accepted: {}."
                            + " Compare them, and type longhaul upstreams accept {}",
                    upstream,
                    waiting,
                    upstream.name());
        } else if (waiting.isEmpty()) {
            held.remove(upstream.name());
        }
        return listed.with(tools);
    }

    /** Serves what an upstream lists from now on. */
    public void accept(UpstreamServer upstream, Listing listed) {
        rows.put(
                new StoredRow(SPACE, upstream.name(), Payload.of(listed.toJson().bytes()), null));
        held.remove(upstream.name());
    }

    /** The tools of an upstream whose definitions are held back. */
    public List<String> held(String upstream) {
        return held.getOrDefault(upstream, List.of());
    }
}

package io.longhaul.peer.feature;

import io.longhaul.peer.tool.ServedTool;
import io.longhaul.protocol.call.Notice;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** What a server offers at this moment. What changes is told to whoever watches. Thread-safe. */
public final class Features {

    private final Catalog<ServedTool> tools = new Catalog<>("tool", ServedTool::name);
    private final List<Consumer<Notice>> watchers = new CopyOnWriteArrayList<>();

    public Catalog<ServedTool> tools() {
        return tools;
    }

    /** Adds a tool; false where there is one of its name. */
    public boolean add(ServedTool tool) {
        return told(tools.add(tool), new Notice.ToolsChanged());
    }

    /** Takes a tool out; its tasks go on. */
    public boolean removeTool(String name) {
        return told(tools.remove(name), new Notice.ToolsChanged());
    }

    /** Has every later change told to {@code watcher}, which must not block. */
    public void watch(Consumer<Notice> watcher) {
        watchers.add(watcher);
    }

    private boolean told(boolean changed, Notice what) {
        if (changed) {
            watchers.forEach(watcher -> watcher.accept(what));
        }
        return changed;
    }
}

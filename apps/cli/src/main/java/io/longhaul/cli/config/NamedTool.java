// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.cli.config.ToolEntry.Mode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the name of the tool that a schedule or a trigger calls. */
final class NamedTool {

    private NamedTool() {}

    /**
     * The name, or null where the file has none.
     *
     * @param tools of the file; the tools of other servers are known later
     */
    static @Nullable String read(FileFields file, String at, List<ToolEntry> tools) {
        var name = file.text(at + "/tool");
        if (name == null) {
            return null;
        }
        var tool = tools.stream().filter(one -> one.name().equals(name)).findFirst();
        if (tool.isEmpty() && !file.has("/upstreams")) {
            file.mistakes().at(at + "/tool", "names no tool of this file", "Write the name of one");
        }
        if (tool.isPresent() && tool.get().running().mode() == Mode.QUICK) {
            file.mistakes().at(at + "/tool", "names a quick tool, which has no tasks", "Leave out quick: of the tool");
        }
        return name;
    }
}

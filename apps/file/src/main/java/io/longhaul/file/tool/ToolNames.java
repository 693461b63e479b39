// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tool;

import io.longhaul.file.tool.ToolEntry.Mode;
import io.longhaul.file.tree.FileFields;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the names of tools that a file gives beside the tools themselves.
 *
 * @param tools of the file; the tools of other servers are known later
 */
public record ToolNames(FileFields file, List<ToolEntry> tools) {

    /** The name of the tool that a schedule or a trigger calls, or null where the file has none. */
    public @Nullable String called(String at) {
        var place = at + "/tool";
        check(place);
        var name = file.text(place);
        if (tools.stream()
                .anyMatch(tool -> tool.name().equals(name) && tool.running().mode() == Mode.QUICK)) {
            file.wrong(place, "names a quick tool, which has no tasks", "Leave out quick: of the tool");
        }
        return name;
    }

    /** The names in a list. */
    public Set<String> all(String at) {
        file.places(at).forEach(this::check);
        return Set.copyOf(file.texts(at));
    }

    private void check(String place) {
        var name = file.text(place);
        if (name != null
                && !file.has("/upstreams")
                && tools.stream().noneMatch(tool -> tool.name().equals(name))) {
            file.wrong(place, "names no tool of this file", "Write the name of one");
        }
    }
}

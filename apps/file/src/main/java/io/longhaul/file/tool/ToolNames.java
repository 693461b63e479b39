// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tool;

import io.longhaul.file.tool.ToolEntry.Mode;
import io.longhaul.file.tree.FileFields;
import java.util.List;

/**
 * Reads the names of tools that a file gives beside the tools themselves.
 *
 * @param tools of the file; the tools of other servers are known later
 */
public record ToolNames(FileFields file, List<ToolEntry> tools) {

    /** Reports the name of a tool that a schedule or a trigger cannot call. */
    public void checkCalled(String place) {
        check(place);
        var name = file.text(place);
        if (tools.stream()
                .anyMatch(tool -> tool.name().equals(name) && tool.running().mode() == Mode.QUICK)) {
            file.wrong(place, "names a quick tool, which has no tasks", "Leave out quick: of the tool");
        }
    }

    /** Reports names in a list that no tool of the file has. */
    public void checkAll(String at) {
        file.places(at).forEach(this::check);
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

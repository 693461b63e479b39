// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.dialect.control.TaskControl;
import io.longhaul.protocol.dialect.operations.Operations;
import io.longhaul.protocol.dialect.resume.ClientResumeTokens;
import io.longhaul.protocol.dialect.resume.ResumeTokens;
import io.longhaul.protocol.dialect.tasks1686.RequestorTasks;
import io.longhaul.protocol.dialect.tasks1686.RequestorTasksDialect;
import io.longhaul.protocol.dialect.toolsasync.AsyncCalls;
import io.longhaul.protocol.dialect.toolsasync.ToolsAsync;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The drafts and the extensions of this build beside the revisions. To drop a draft or an extension, delete its package
 * and its line here; no other class names it.
 */
final class Drafts {

    /** The dialects of the drafts, for both sides. Sessions can negotiate those that have a version of their own. */
    static final Map<Generation, ClientDialect> DIALECTS = new EnumMap<>(Generation.class);

    /**
     * Overlays: drafts that claim single messages in sessions of other generations, in the order in which they are
     * asked.
     */
    static final Map<Generation, Overlay> OVERLAYS = new LinkedHashMap<>();

    /** Longhaul's own extensions, which are no generations: they apply to messages of every generation. */
    private static final List<Overlay> EXTENSIONS = new ArrayList<>();

    static {
        overlay(Generation.SEP_1686, new RequestorTasks(), new RequestorTasksDialect());
        overlay(Generation.TOOLS_ASYNC, new ToolsAsync(), new AsyncCalls());
        overlay(Generation.SEP_1003, new ResumeTokens.OnCalls(), new ClientResumeTokens());
        DIALECTS.put(Generation.NEXT, new Operations());
        EXTENSIONS.add(new TaskControl());
    }

    private Drafts() {}

    /** All overlays and extensions, in the order in which they are asked. */
    static List<Overlay> overlays() {
        return Stream.concat(OVERLAYS.values().stream(), EXTENSIONS.stream()).toList();
    }

    private static void overlay(Generation draft, Overlay overlay, ClientDialect client) {
        OVERLAYS.put(draft, overlay);
        DIALECTS.put(draft, client);
    }
}

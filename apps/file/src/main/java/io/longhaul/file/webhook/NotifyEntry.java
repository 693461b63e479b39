// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import io.longhaul.engine.secret.Secret;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A recipient that is told of the ends of tasks.
 *
 * @param name    by which the file names the recipient
 * @param url     the only address that is told
 * @param secrets all secrets that sign; made from the environment
 * @param on      the ends of which the recipient is told; empty for all
 * @param tools   the tools of whose tasks the recipient is told; empty for all
 */
public record NotifyEntry(
        String name, URI url, Function<Map<String, String>, List<Secret>> secrets, Set<End> on, Set<String> tools) {

    /** How a task has ended. */
    public enum End {
        /** With a result. */
        COMPLETED,
        /** With a tool error, with an error, or without any outcome of the tool. */
        FAILED,
        CANCELLED,
        /** With the result of a call that a person did not approve. */
        DECLINED
    }

    public NotifyEntry {
        on = Set.copyOf(on);
        tools = Set.copyOf(tools);
    }

    /** Whether the recipient is told of such an end. */
    public boolean wants(String tool, End end) {
        return (on.isEmpty() || on.contains(end)) && (tools.isEmpty() || tools.contains(tool));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import io.longhaul.file.secret.SigningSecrets;
import io.longhaul.file.tool.ToolNames;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import java.net.URI;
import java.util.List;
import java.util.Set;

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
        @Binder.Key String name,
        URI url,
        @Binder.Named("secret") SigningSecrets secrets,
        Set<End> on,
        Set<String> tools) {

    /** The kind of addresses. */
    public static final Binder.Kind<URI> ADDRESS =
            Binder.Kind.ofText("an address", FileFields::address, "Write one without user and fragment");

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

    /** Reads {@code notify:} of a file. */
    public static List<NotifyEntry> read(Binder in, ToolNames tools) {
        var entries = in.members("notify", NotifyEntry.class);
        entries.forEach((name, entry) -> {
            var at = YamlTree.below("/notify", name);
            if (entry.isReadByOthers()) {
                var problem = "is plain HTTP, where others may read which tasks end";
                in.file().warn(at + "/url", problem, "Write an address that begins with https:");
            }
            tools.checkAll(at + "/tools");
        });
        return List.copyOf(entries.values());
    }

    private boolean isReadByOthers() {
        return url != null && url.getScheme().equalsIgnoreCase("http") && !isLocal(url.getHost());
    }

    private static boolean isLocal(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.startsWith("127.");
    }
}

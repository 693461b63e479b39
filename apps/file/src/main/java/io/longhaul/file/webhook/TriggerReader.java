// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import io.longhaul.file.secret.SecretReader;
import io.longhaul.file.settings.Limit;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.tool.ToolNames;
import io.longhaul.file.tool.ToolReader;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.file.webhook.TriggerEntry.Content;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonPointer;

/**
 * Reads {@code triggers:} of a file.
 *
 * @param tools of the file
 * @param given what the file gives to all tools
 */
public record TriggerReader(FileFields file, List<ToolEntry> tools, ToolReader.Given given) {
    private static final String AT = "/triggers";

    public List<TriggerEntry> read() {
        return file.members(AT, this::entry);
    }

    private Optional<TriggerEntry> entry(String at, String name) {
        var tool = new ToolNames(file, tools).called(at);
        var secrets = new SecretReader(file, given.base()).signing(at + "/secret");
        var scheme = file.choice(at + "/signature", SignatureScheme.STANDARD);
        if (scheme != SignatureScheme.GITHUB && file.has(at + "/events")) {
            file.wrong(at + "/events", "are those of GitHub", "Add signature: github, or leave them out");
        }
        if (tool == null) {
            return Optional.empty();
        }
        var entry = new TriggerEntry(
                name,
                tool,
                secrets,
                scheme,
                Set.copyOf(file.texts(at + "/events")),
                new Content(file.node(at + "/arguments"), taken(at + "/body")));
        if (entry.isForgetful(tools, given.limits())) {
            tellForgetful(at, tool);
        }
        return Optional.of(entry);
    }

    private void tellForgetful(String at, String tool) {
        var kept = Limit.time(TriggerEntry.kept(tool, tools, given.limits()).toMillis());
        var least = Limit.time(TriggerEntry.REPLAYED.toMillis());
        file.wrong(
                at + "/tool",
                "names a tool whose tasks are kept for " + kept + ", and a message is good for " + least
                        + ": it could make a second task",
                "Write keepFor: " + least + " or more at the tool");
    }

    private Map<String, JsonPointer> taken(String at) {
        var taken = new LinkedHashMap<String, JsonPointer>();
        for (var name : file.node(at).propertyNames()) {
            var pointer = file.text(YamlTree.below(at, name));
            if (pointer != null) {
                taken.put(name, JsonPointer.compile(pointer));
            }
        }
        return taken;
    }
}

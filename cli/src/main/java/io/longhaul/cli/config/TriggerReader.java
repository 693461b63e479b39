// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.cli.config.TriggerEntry.Content;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * @param base  the folder of relative paths
 */
record TriggerReader(FileFields file, List<ToolEntry> tools, Path base) {
    private static final String AT = "/triggers";

    List<TriggerEntry> read() {
        var all = new ArrayList<TriggerEntry>();
        for (var name : file.node(AT).propertyNames()) {
            entry(YamlTree.below(AT, name), name).ifPresent(all::add);
        }
        return all;
    }

    private Optional<TriggerEntry> entry(String at, String name) {
        var tool = NamedTool.read(file, at, tools);
        var secrets = SigningSecretReader.read(file, at + "/secret", base);
        var scheme = file.choice(at + "/signature", SignatureScheme.STANDARD);
        if (scheme != SignatureScheme.GITHUB && file.has(at + "/events")) {
            file.mistakes().at(at + "/events", "are those of GitHub", "Add signature: github, or leave them out");
        }
        return tool == null
                ? Optional.empty()
                : Optional.of(new TriggerEntry(
                        name,
                        tool,
                        secrets,
                        scheme,
                        Set.copyOf(file.texts(at + "/events")),
                        new Content(file.node(at + "/arguments"), taken(at + "/body"))));
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

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.cli.config.NotifyEntry.End;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads {@code notify:} of a file.
 *
 * @param tools of the file
 * @param base  the folder of relative paths
 */
record NotifyReader(FileFields file, List<ToolEntry> tools, Path base) {
    private static final String AT = "/notify";

    List<NotifyEntry> read() {
        var all = new ArrayList<NotifyEntry>();
        for (var name : file.node(AT).propertyNames()) {
            entry(YamlTree.below(AT, name), name).ifPresent(all::add);
        }
        return all;
    }

    private Optional<NotifyEntry> entry(String at, String name) {
        var url = file.parsed(at + "/url", "an address", FileFields::address, "Write one without user and fragment");
        if (url != null && url.getScheme().equalsIgnoreCase("http") && !isLocal(url.getHost())) {
            var problem = "is plain HTTP, where others may read which tasks end";
            file.mistakes().warn(at + "/url", problem, "Write an address that begins with https:");
        }
        var secrets = SigningSecretReader.read(file, at + "/secret", base);
        var on = file.texts(at + "/on").stream()
                .map(word -> End.valueOf(word.toUpperCase(Locale.ROOT)))
                .collect(Collectors.toSet());
        return url == null ? Optional.empty() : Optional.of(new NotifyEntry(name, url, secrets, on, told(at)));
    }

    private Set<String> told(String at) {
        var known = tools.stream().map(ToolEntry::name).collect(Collectors.toSet());
        file.places(at + "/tools")
                .filter(place -> !file.has("/upstreams") && !known.contains(String.valueOf(file.text(place))))
                .forEach(place -> file.mistakes().at(place, "names no tool of this file", "Write the name of one"));
        return Set.copyOf(file.texts(at + "/tools"));
    }

    private static boolean isLocal(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.startsWith("127.");
    }
}

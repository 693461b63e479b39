// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import io.longhaul.file.secret.SecretReader;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.tool.ToolNames;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.webhook.NotifyEntry.End;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads {@code notify:} of a file.
 *
 * @param tools of the file
 * @param base  the folder of relative paths
 */
public record NotifyReader(FileFields file, List<ToolEntry> tools, Path base) {
    private static final String AT = "/notify";

    public List<NotifyEntry> read() {
        return file.members(AT, this::entry);
    }

    private Optional<NotifyEntry> entry(String at, String name) {
        var url = file.parsed(at + "/url", "an address", FileFields::address, "Write one without user and fragment");
        if (url != null && url.getScheme().equalsIgnoreCase("http") && !isLocal(url.getHost())) {
            var problem = "is plain HTTP, where others may read which tasks end";
            file.warn(at + "/url", problem, "Write an address that begins with https:");
        }
        var secrets = new SecretReader(file, base).signing(at + "/secret");
        var on = file.texts(at + "/on").stream()
                .map(word -> End.valueOf(word.toUpperCase(Locale.ROOT)))
                .collect(Collectors.toSet());
        return url == null
                ? Optional.empty()
                : Optional.of(new NotifyEntry(name, url, secrets, on, new ToolNames(file, tools).all(at + "/tools")));
    }

    private static boolean isLocal(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.startsWith("127.");
    }
}

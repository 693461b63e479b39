// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.clients;

import static io.longhaul.cli.text.Table.left;

import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.cli.text.Table;
import io.longhaul.file.text.EnumWords;
import io.longhaul.receiver.KnownHosts;
import io.longhaul.receiver.KnownHosts.HostWait;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is known of hosts, in words and as JSON. */
final class ClientsText {
    static final Table<HostWait> TABLE = Table.of(
            left("HOST", 0, ClientsText::host),
            left("VERSION", 0, ClientsText::version),
            left("GAVE UP AFTER", 0, wait -> seconds(wait.learned().gaveUp())),
            left("HEARD AFTER", 0, wait -> seconds(wait.learned().heard())),
            left(
                    "A CALL IS HELD",
                    0,
                    wait -> seconds(wait.hold()) + (wait.waitsOnProgress() ? ", with progress to the end" : "")),
            left("WHY", 0, wait -> EnumWords.of(wait.basis()) + (wait.hasTasks() ? ", asks for tasks" : "")));
    private static final double MILLIS = 1_000;

    private ClientsText() {}

    private static String host(HostWait wait) {
        return wait.host().name().equals(KnownHosts.ANY)
                ? "any other"
                : SafeText.line(wait.host().name());
    }

    private static String version(HostWait wait) {
        return wait.host().version().isEmpty()
                ? "any"
                : SafeText.line(wait.host().version());
    }

    private static String seconds(@Nullable Duration time) {
        if (time == null) {
            return "-";
        }
        return isToTheEnd(time)
                ? "to the end"
                : String.format(Locale.ROOT, "%.1f s", time.toMillis() / MILLIS).replace(".0 s", " s");
    }

    private static boolean isToTheEnd(Duration time) {
        return time.equals(KnownHosts.TO_THE_END);
    }

    static ObjectNode json(List<HostWait> all) {
        var json = JsonText.object();
        ArrayNode clients = json.putArray("clients");
        all.forEach(wait -> {
            var client = clients.addObject().put("name", wait.host().name());
            if (!wait.host().version().isEmpty()) {
                client.put("version", wait.host().version());
            }
            JsonText.add(client, "gaveUpAfterMs", wait.learned().gaveUp());
            JsonText.add(client, "heardAfterMs", wait.learned().heard());
            JsonText.add(client, "heldMs", isToTheEnd(wait.hold()) ? null : wait.hold());
            client.put("toTheEnd", isToTheEnd(wait.hold()));
            client.put("toTheEndWithProgress", wait.waitsOnProgress());
            client.put("asksForTasks", wait.hasTasks());
            client.put("why", EnumWords.of(wait.basis()));
        });
        return json;
    }
}

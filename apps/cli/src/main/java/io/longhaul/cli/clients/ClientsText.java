// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.clients;

import io.longhaul.cli.text.Elapsed;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.file.text.EnumWords;
import io.longhaul.receiver.KnownHosts;
import io.longhaul.receiver.KnownHosts.HostWait;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is known of hosts, in words and as JSON. */
final class ClientsText {
    private static final List<String> HEAD =
            List.of("HOST", "VERSION", "GAVE UP AFTER", "HEARD AFTER", "A CALL IS HELD", "WHY");
    private static final double MILLIS = 1_000;

    private ClientsText() {}

    static List<String> table(List<HostWait> all) {
        var rows = Stream.concat(Stream.of(HEAD), all.stream().map(ClientsText::row))
                .toList();
        var widths = IntStream.range(0, HEAD.size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream()
                .map(row -> IntStream.range(0, widths.length)
                        .mapToObj(column -> String.format("%-" + widths[column] + "s", row.get(column)))
                        .collect(Collectors.joining("  "))
                        .stripTrailing())
                .toList();
    }

    private static List<String> row(HostWait wait) {
        return List.of(
                wait.host().name().equals(KnownHosts.ANY)
                        ? "any other"
                        : SafeText.line(wait.host().name()),
                version(wait),
                seconds(wait.learned().gaveUp()),
                seconds(wait.learned().heard()),
                seconds(wait.hold()) + (wait.waitsOnProgress() ? ", with progress to the end" : ""),
                EnumWords.of(wait.basis()) + (wait.hasTasks() ? ", asks for tasks" : ""));
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
            JsonText.add(client, "gaveUpAfterMs", Elapsed.millis(wait.learned().gaveUp()));
            JsonText.add(client, "heardAfterMs", Elapsed.millis(wait.learned().heard()));
            JsonText.add(client, "heldMs", Elapsed.millis(isToTheEnd(wait.hold()) ? null : wait.hold()));
            client.put("toTheEnd", isToTheEnd(wait.hold()));
            client.put("toTheEndWithProgress", wait.waitsOnProgress());
            client.put("asksForTasks", wait.hasTasks());
            client.put("why", EnumWords.of(wait.basis()));
        });
        return json;
    }
}

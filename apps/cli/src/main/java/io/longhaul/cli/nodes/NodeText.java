// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.nodes;

import static io.longhaul.cli.text.Table.left;
import static io.longhaul.cli.text.Table.right;

import io.longhaul.cli.text.Elapsed;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.cli.text.Table;
import io.longhaul.file.text.EnumWords;
import io.longhaul.store.postgres.PostgresNodes.Node;
import io.longhaul.store.postgres.PostgresNodes.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Nodes in words and as JSON. */
final class NodeText {
    static final Table<Node> TABLE = Table.of(
            left("NODE", 28, node -> SafeText.line(node.name())),
            left("STATE", 8, node -> EnumWords.of(node.state())),
            left("ROLE", 5, NodeText::role),
            right("SINCE", 8, node -> Elapsed.text(node.since())),
            right("BEGUN", 7, node -> String.valueOf(node.begun())),
            right("WAITING", 7, node -> String.valueOf(node.waiting())),
            right("OLDEST", 7, node -> oldest(node.oldest())),
            left("TOOLS", 0, node -> tools(node.tasks())));

    private NodeText() {}

    /** {@code work eu, gpu}. */
    private static String role(Node node) {
        var role = node.role();
        var labels = role.labels().stream().map(SafeText::line).sorted().collect(Collectors.joining(", "));
        return (EnumWords.of(role.kind()) + " " + labels).strip();
    }

    private static String oldest(Duration age) {
        return age.isZero() ? "-" : Elapsed.text(age);
    }

    /** {@code render 2, scan 1}. */
    static String tools(List<Tasks> tasks) {
        return tasks.stream()
                .map(of -> SafeText.line(of.work()) + " " + (of.begun() + of.waiting()))
                .collect(Collectors.joining(", "));
    }

    /** {@code 1 task} or {@code 2 tasks}. */
    static String count(long tasks) {
        return tasks + (tasks == 1 ? " task" : " tasks");
    }

    static ObjectNode json(List<Node> nodes, List<Tasks> free) {
        var json = JsonText.object();
        var all = json.putArray("nodes");
        for (var node : nodes) {
            var one = all.addObject()
                    .put("name", node.name())
                    .put("role", EnumWords.of(node.role().kind()))
                    .put("state", EnumWords.of(node.state()))
                    .put("joinedAt", node.joinedAt().toString())
                    .put("sinceMs", node.since().toMillis());
            var labels = one.putArray("labels");
            node.role().labels().stream().sorted().forEach(labels::add);
            put(one.putArray("tasks"), node.tasks());
        }
        put(json.putArray("free"), free);
        return json;
    }

    private static void put(ArrayNode array, List<Tasks> tasks) {
        tasks.forEach(of -> array.addObject()
                .put("tool", of.work())
                .put("begun", of.begun())
                .put("waiting", of.waiting())
                .put("oldestMs", of.oldest().toMillis()));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.operate;

import static io.longhaul.cli.text.Table.left;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.call.CallRunner;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.cli.text.Table;
import io.longhaul.file.operate.Orders;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Lists the servers behind a server of this user, and accepts definitions that it holds back. */
public final class UpstreamsCommand implements CliCommand {
    private static final String LIST = "upstreams";
    private static final Table<JsonNode> TABLE = Table.of(
            left("NAME", 16, one -> cell(one, "name")),
            left("STATE", 8, one -> cell(one, "state")),
            left("VERSION", 10, one -> cell(one, "version")),
            left("TOOLS", 5, one -> cell(one, "tools")),
            left("NOW", 5, one -> cell(one, "underWay")),
            left("CALLS", 7, one -> cell(one, "calls")),
            left("ERRORS", 7, one -> cell(one, "errors")),
            left("P50", 8, one -> time(one, "p50")),
            left("P99", 8, one -> time(one, "p99")),
            left("HELD BACK", 0, one -> held(one)));

    @Override
    public Help help() {
        return new Help(
                "upstreams list|accept [NAME]",
                "list the servers behind a gateway, or accept changed definitions of one",
                List.of(
                        "The gateway must run on this machine. With pin: true, it holds back new and changed"
                                + " definitions of",
                        "tools until accept, which serves what the server lists now.",
                        "exit codes: 0 success, 2 usage, 3 refused, 4 the server does not answer"),
                Option.and(List.of(OrderFolder.DATA), CallRunner.OUTPUT));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws IOException, InterruptedException {
        var verb = arguments.words().stream().findFirst().orElse(Orders.LIST);
        boolean isList = verb.equals(Orders.LIST);
        if (!isList && !verb.equals(Orders.ACCEPT)) {
            throw UsageException.unknown("upstreams cannot", verb, List.of(Orders.LIST, Orders.ACCEPT));
        }
        arguments.expectWords(isList ? 1 : 2);
        boolean isJson = CallRunner.isJson(arguments);
        var folder = OrderFolder.of(arguments, terminal, "longhaul gateway FILE.yaml");
        if (!isList) {
            var name = arguments.word(1, "the name, as longhaul upstreams list shows it,");
            var names = folder.listed(LIST).stream()
                    .map(one -> one.path("name").asString())
                    .toList();
            if (!names.contains(name)) {
                throw UsageException.unknown("there is no server", name, names);
            }
            terminal.say(SafeText.line(folder.order("", verb, name)));
            return ExitCode.OK;
        }
        var all = folder.listed(LIST);
        if (isJson) {
            var json = JsonText.object();
            all.forEach(json.putArray(LIST)::add);
            terminal.out().println(JsonText.pretty(json));
        } else if (all.isEmpty()) {
            terminal.err().println("no servers behind it");
        } else {
            TABLE.lines(all).forEach(terminal.out()::println);
        }
        return ExitCode.OK;
    }

    /** One server, in a line for a person. */
    public static String line(JsonNode one) {
        return cell(one, "name") + " is " + cell(one, "state") + ", "
                + (cell(one, "version").isEmpty() ? "" : "version " + cell(one, "version") + ", ")
                + cell(one, "tools") + " tools, " + cell(one, "underWay") + " calls under way, " + cell(one, "calls")
                + " ended, " + cell(one, "errors") + " with errors"
                + (one.has("p50") ? ", p50 " + time(one, "p50") + ", p99 " + time(one, "p99") : "");
    }

    /** There is none before a quick call has ended. */
    private static String time(JsonNode one, String name) {
        return one.has(name) ? cell(one, name) + " ms" : "-";
    }

    private static String held(JsonNode one) {
        return String.join(
                ", ", one.path("held").valueStream().map(JsonNode::asString).toList());
    }

    private static String cell(JsonNode one, String name) {
        return SafeText.line(one.path(name).asString(""));
    }
}

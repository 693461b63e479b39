// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.operate;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.connect.ListeningServer;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.file.operate.Orders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The folder in which a server of this user takes orders, and answers them.
 *
 * @param start the command that starts such a server
 */
public record OrderFolder(Path path, Duration patience, String start) {
    static final Option DATA = Option.valued(
            "--data", "DIR", "the data folder of the server; by default that of the only one of yours that runs");
    static final String SERVE = "longhaul serve FILE.yaml";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SOON = Duration.ofSeconds(3);
    private static final Duration LOOK = Duration.ofMillis(50);

    /**
     * The folder of the server that a command line means.
     *
     * @param start the command that starts such a server
     */
    static OrderFolder of(Arguments arguments, Terminal terminal, String start) {
        var data = arguments
                .value(DATA)
                .map(folder -> Path.of(folder).toAbsolutePath().normalize());
        var running = ListeningServer.running(terminal.env()).stream()
                .filter(server -> data.isEmpty() || data.get().equals(server.data()))
                .toList();
        if (data.isEmpty() && running.size() != 1) {
            throw new UsageException(
                    running.isEmpty()
                            ? "no server of yours listens here. Start one: " + start
                            : "which server? Several of yours run. Add --data DIR:\n"
                                    + running.stream()
                                            .map(server -> server.file().getFileName() + ": --data " + server.data())
                                            .collect(Collectors.joining("\n")));
        }
        var path = data.orElseGet(() -> running.getFirst().data());
        var orders = path.resolve(Orders.FOLDER);
        // A server with a database has orders, and no store in its folder.
        if (!Files.isDirectory(orders) && !Files.isRegularFile(path.resolve(DataFolder.STORE))) {
            throw DataFolder.none(arguments.value(DATA).orElseGet(path::toString));
        }
        return new OrderFolder(orders, PATIENCE, start);
    }

    /** The folder of a server that has this data folder, and should answer soon. */
    public static OrderFolder in(Path data) {
        return new OrderFolder(data.resolve(Orders.FOLDER), SOON, SERVE);
    }

    /** What the server lists. */
    public List<JsonNode> listed(String what) throws IOException, InterruptedException {
        return answer("", Orders.LIST, "").path(what).valueStream().toList();
    }

    /** Gives an order, and returns what the server says. */
    String order(String kind, String verb, String named) throws IOException, InterruptedException {
        var said = answer(kind, verb, named);
        if (said.has("refused")) {
            throw new Problem(
                    Problem.Kind.REFUSED, named + ": " + said.path("refused").asString());
        }
        return said.path("said").asString("");
    }

    /** Gives the server an order, and waits for what it says. */
    private JsonNode answer(String kind, String verb, String named) throws IOException, InterruptedException {
        if (!Files.isDirectory(path)) {
            throw silent();
        }
        var id = UUID.randomUUID().toString();
        var order = path.resolve(id + Orders.ORDER);
        var next = path.resolve(id + ".next");
        Files.writeString(
                next,
                JsonText.line(
                        JsonText.object().put("kind", kind).put("name", named).put("verb", verb)));
        Files.move(next, order);
        var answer = path.resolve(id + Orders.ANSWER);
        for (var waited = Duration.ZERO; !Files.exists(answer); waited = waited.plus(LOOK)) {
            if (waited.compareTo(patience) > 0 && Files.deleteIfExists(order)) {
                throw silent();
            }
            Thread.sleep(LOOK);
        }
        var said = JsonText.read(Files.readString(answer));
        Files.delete(answer);
        return said;
    }

    private Problem silent() {
        return new Problem(
                Problem.Kind.CONNECTION,
                "the server does not answer, and nothing is done. Start it where it does not run: " + start);
    }
}

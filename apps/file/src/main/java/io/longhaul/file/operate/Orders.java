// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.operate;

import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.engine.store.StoreException;
import io.longhaul.file.operate.Pauses.Kind;
import io.longhaul.file.text.EnumWords;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Carries out the orders of an operator, which arrive as files in a folder of the server's own user. The server answers
 * each by a file. Thread-safe.
 */
public final class Orders implements AutoCloseable {
    /** The folder of orders in the data folder of a server. */
    public static final String FOLDER = "orders";

    /** The order for a list of what can be ordered, which comes as {@code operated} of the answer. */
    public static final String LIST = "list";

    /** The order to accept the changed definitions of a server behind this one. */
    public static final String ACCEPT = "accept";

    /** The endings of the names of an order and of its answer. */
    public static final String ORDER = ".order";

    public static final String ANSWER = ".answer";

    private static final Logger log = LoggerFactory.getLogger(Orders.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    /**
     * A schedule or a trigger of the server.
     *
     * @param next gives the next time at which it is due; null for what is called from outside
     * @param run  makes a call under the id of an order, and gives the task in words
     */
    public record Operated(
            Kind kind,
            String name,
            String tool,
            Optional<Function<Instant, Instant>> next,
            Optional<Function<String, String>> run) {}

    /** The servers behind a server. */
    public interface Behind {
        /** How they are now, as JSON. */
        List<JsonNode> list();

        /** Accepts the changed definitions of a server, and gives the tools that they are of. */
        List<String> accept(String name);
    }

    private final Path folder;
    private final Pauses pauses;
    private final InstantSource clock;
    private final Supplier<List<Operated>> operated;
    private final Behind behind;
    private final Thread looking;

    private Orders(Path folder, Pauses pauses, InstantSource clock, Supplier<List<Operated>> operated, Behind behind) {
        this.behind = behind;
        this.folder = folder;
        this.pauses = pauses;
        this.clock = clock;
        this.operated = operated;
        looking = Thread.ofVirtual().name("longhaul-orders").unstarted(this::look);
    }

    /**
     * Begins to look for orders.
     *
     * @param folder   created where it does not exist
     * @param operated gives what the server has now
     * @throws IOException where other users can write the folder
     */
    public static Orders in(
            Path folder, Pauses pauses, InstantSource clock, Supplier<List<Operated>> operated, Behind behind)
            throws IOException {
        PrivateFiles.createFolder(folder);
        var orders = new Orders(folder, pauses, clock, operated, behind);
        orders.looking.start();
        return orders;
    }

    private void look() {
        try {
            while (true) {
                try (var files = Files.list(folder)) {
                    for (var order : files.filter(file -> file.toString().endsWith(ORDER))
                            .toList()) {
                        answer(order);
                    }
                } catch (IOException | StoreException e) {
                    if (!Thread.currentThread().isInterrupted()) {
                        log.warn("the orders in {} are looked at again: {}", folder, e.getMessage());
                    }
                }
                Thread.sleep(BETWEEN_LOOKS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The order stays where it cannot be carried out now, as while the store is away. */
    private void answer(Path file) throws IOException {
        var id = file.getFileName().toString().replace(ORDER, "");
        var answer = JsonTree.object();
        try {
            var order = JsonTree.read(Files.readAllBytes(file));
            if (order.path("verb").asString("").equals(LIST)) {
                answer.set("operated", list());
                behind.list().forEach(answer.putArray("upstreams")::add);
            } else if (order.path("verb").asString("").equals(ACCEPT)) {
                answer.put("said", accept(order.path("name").asString("")));
            } else {
                answer.put("said", carryOut(id, order));
            }
        } catch (IllegalArgumentException e) {
            answer.put("refused", e.getMessage());
        }
        write(id + ANSWER, JsonTree.write(answer).toString());
        Files.delete(file);
    }

    private String accept(String upstream) {
        log.info("an operator orders: {} the definitions of the server {}", ACCEPT, upstream);
        var tools = behind.accept(upstream);
        return tools.isEmpty() ? "nothing was held back" : "accepted: " + String.join(", ", tools);
    }

    private String carryOut(String id, JsonNode order) {
        var kind = order.path("kind").asString("");
        var name = order.path("name").asString("");
        var one = operated.get().stream()
                .filter(each ->
                        EnumWords.of(each.kind()).equals(kind) && each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the server has none of that name"));
        var verb = order.path("verb").asString("");
        log.info("an operator orders: {} the {} {}", verb, kind, name);
        return switch (verb) {
            case "pause" -> {
                pauses.begin(one.kind(), name, clock.instant());
                yield name + " is paused";
            }
            case "resume" -> {
                pauses.end(one.kind(), name);
                yield name + " goes on";
            }
            case "run" ->
                one.run()
                        .map(run -> run.apply(id))
                        .orElseThrow(() -> new IllegalArgumentException("a trigger is called by others"));
            default -> throw new IllegalArgumentException("the server cannot " + verb);
        };
    }

    private JsonNode list() {
        var now = clock.instant();
        var all = JsonTree.array();
        for (var one : operated.get()) {
            var entry = all.addObject()
                    .put("kind", EnumWords.of(one.kind()))
                    .put("name", one.name())
                    .put("tool", one.tool())
                    .put("paused", pauses.has(one.kind(), one.name(), now));
            one.next().ifPresent(next -> entry.put("next", next.apply(now).toString()));
        }
        return all;
    }

    /** Writes a file that a reader sees as a whole. */
    private void write(String name, String text) throws IOException {
        var next = folder.resolve(name + ".next");
        Files.writeString(next, text);
        Files.move(next, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() {
        looking.interrupt();
    }
}

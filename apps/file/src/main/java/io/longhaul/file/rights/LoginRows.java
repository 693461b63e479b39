// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.rights;

import io.longhaul.authorization.TokenStore;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tokens of one owner at one upstream, or the registrations of this server, in the store of the tasks, so that each
 * node of a store has them. A row that nobody has written for thirty days is gone.
 *
 * @param of whose rows these are, which nobody else can name
 */
record LoginRows(RowStore rows, InstantSource clock, String of) implements TokenStore {

    private static final String SPACE = "login";
    private static final Duration LIFE = Duration.ofDays(30);
    private static final Duration LONGEST_HOLD = Duration.ofMinutes(1);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);

    private String key(String name) {
        return of + "\n" + name;
    }

    @Override
    public Optional<String> load(String name) {
        return rows.get(SPACE, key(name), clock.instant())
                .map(row -> node(row).path("text").asString(""));
    }

    @Override
    public void save(String name, String secret) {
        var value = JsonTree.object().put("text", secret);
        rows.put(new StoredRow(SPACE, key(name), payload(value), clock.instant().plus(LIFE)));
    }

    @Override
    public void remove(String name) {
        rows.remove(SPACE, key(name));
    }

    /** Holds a row for all nodes; where there is no row, there is no refresh token to be used twice. */
    @Override
    public Hold hold(String name) {
        var mine = UUID.randomUUID().toString();
        while (true) {
            var now = clock.instant();
            var row = rows.change(SPACE, key(name), now, one -> isHeld(one, now) ? one : held(one, mine, now));
            if (row.isEmpty() || isHeldBy(row.get(), mine)) {
                return () -> rows.change(SPACE, key(name), now, one -> isHeldBy(one, mine) ? free(one) : one);
            }
            try {
                Thread.sleep(BETWEEN_TRIES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("the wait for another node was interrupted", e);
            }
        }
    }

    private static boolean isHeld(StoredRow row, Instant now) {
        var until = node(row).path("until").asString("");
        return !until.isEmpty() && now.isBefore(Instant.parse(until));
    }

    private static boolean isHeldBy(StoredRow row, String holder) {
        return node(row).path("holder").asString("").equals(holder);
    }

    private static StoredRow held(StoredRow row, String holder, Instant now) {
        return with(
                row,
                node(row)
                        .put("holder", holder)
                        .put("until", now.plus(LONGEST_HOLD).toString()));
    }

    private static StoredRow free(StoredRow row) {
        var value = node(row);
        value.remove("holder");
        value.remove("until");
        return with(row, value);
    }

    static StoredRow with(StoredRow row, ObjectNode value) {
        return new StoredRow(row.space(), row.key(), payload(value), row.expiresAt());
    }

    static ObjectNode node(StoredRow row) {
        return (ObjectNode) JsonTree.read(Json.raw(row.value().bytes()));
    }

    static Payload payload(ObjectNode value) {
        return Payload.of(JsonTree.write(value).bytes());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.store.StoreException;
import io.longhaul.store.jdbc.codec.RowSeal;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Records which data keys have sealed data in a store, each with a proof that a key of the same id is the same key.
 * Without this check, a server with a missing key would fail only when it reads the first sealed row.
 */
public record KnownKeys(RowSeal seal) {

    private static final byte[] PROOF = "proof".getBytes(StandardCharsets.US_ASCII);
    private static final String USED = """
        SELECT 1 FROM task WHERE substr(spec, 1, ?) = ? OR substr(body, 1, ?) = ?
        UNION ALL SELECT 1 FROM event WHERE substr(body, 1, ?) = ?
        UNION ALL SELECT 1 FROM part WHERE substr(body, 1, ?) = ?
        UNION ALL SELECT 1 FROM handle WHERE substr(value, 1, ?) = ?
        LIMIT 1
        """;

    /** The number of comparisons with the start of a blob in {@link #USED}. */
    private static final int PLACES = 5;

    private record Known(String id, byte[] proof) {}

    /**
     * Refuses a store with data that is sealed with missing keys, and records the key that seals from now on.
     *
     * @throws StoreException with the id of the key
     */
    public void admit(SqlSession session, String store) throws SQLException {
        var known = known(session);
        var unused = unused(session, store, known);
        var sealing = seal.sealing();
        boolean isNew =
                sealing.isPresent() && known.stream().noneMatch(key -> key.id().equals(sealing.get()));
        if (!unused.isEmpty() || isNew) {
            session.begin();
            for (var id : unused) {
                session.update("DELETE FROM data_key WHERE id = ?", id);
            }
            if (isNew) {
                var proof = seal.seal(PROOF, place(sealing.get()));
                session.update(
                        "INSERT INTO data_key (id, proof) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
                        sealing.get(),
                        proof);
            }
            session.commit();
        }
    }

    /**
     * Refuses a store as {@link #admit} does, and changes nothing.
     *
     * @throws StoreException with the id of the key
     */
    public void require(SqlSession session, String store) throws SQLException {
        unused(session, store, known(session));
    }

    private static List<Known> known(SqlSession session) throws SQLException {
        return session.query(row -> new Known(row.getString(1), row.getBytes(2)), "SELECT id, proof FROM data_key");
    }

    /** The ids of missing keys that seal no remaining data. */
    private List<String> unused(SqlSession session, String store, List<Known> known) throws SQLException {
        var unused = new ArrayList<String>();
        for (var key : known) {
            if (seal.has(key.id())) {
                requireSame(key, store);
            } else if (isUsed(session, key.id())) {
                throw new StoreException(store + ": it is sealed with the data key " + key.id()
                        + ", which is not among those given: add that key");
            } else {
                unused.add(key.id());
            }
        }
        return unused;
    }

    private void requireSame(Known key, String store) {
        try {
            seal.open(key.proof(), place(key.id()));
        } catch (StoreException e) {
            throw new StoreException(
                    store + ": the data key " + key.id()
                            + " is not the one that has sealed it: give that one, and new keys new ids",
                    e);
        }
    }

    private static boolean isUsed(SqlSession session, String id) throws SQLException {
        var start = RowSeal.start(id);
        var values = new Object[2 * PLACES];
        for (int place = 0; place < PLACES; place++) {
            values[2 * place] = start.length;
            values[2 * place + 1] = start;
        }
        return session.queryOne(row -> true, USED, values).isPresent();
    }

    private static String place(String id) {
        return "data_key " + id;
    }
}

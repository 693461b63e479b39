package io.longhaul.store.jdbc;

import io.longhaul.engine.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which data keys have sealed something in a file, each with a proof that a key of its id is the same one. A start
 * without one of them would find the first sealed row long after it had begun to serve.
 */
record KnownKeys(RowSeal seal) {

    private static final byte[] PROOF = "proof".getBytes(StandardCharsets.US_ASCII);
    private static final String USED = """
        SELECT 1 FROM task WHERE substr(spec, 1, ?1) = ?2 OR substr(body, 1, ?1) = ?2
        UNION ALL SELECT 1 FROM event WHERE substr(body, 1, ?1) = ?2
        UNION ALL SELECT 1 FROM part WHERE substr(body, 1, ?1) = ?2
        UNION ALL SELECT 1 FROM handle WHERE substr(value, 1, ?1) = ?2
        LIMIT 1
        """;

    private record Known(String id, byte[] proof) {}

    /**
     * Refuses a file that is sealed with keys that are not here, and notes the key that seals from now on.
     *
     * @throws StoreException that names the key
     */
    void admit(DatabaseSession session, Path file) throws SQLException {
        var known = known(session);
        var unused = unused(session, file, known);
        var sealing = seal.sealing();
        boolean isNew =
                sealing.isPresent() && known.stream().noneMatch(key -> key.id().equals(sealing.get()));
        if (!unused.isEmpty() || isNew) {
            session.begin("IMMEDIATE");
            for (var id : unused) {
                session.update("DELETE FROM data_key WHERE id = ?", id);
            }
            if (isNew) {
                var proof = seal.seal(PROOF, place(sealing.get()));
                session.update("INSERT INTO data_key (id, proof) VALUES (?, ?)", sealing.get(), proof);
            }
            session.commit();
        }
    }

    /**
     * Refuses the same files, and changes nothing.
     *
     * @throws StoreException that names the key
     */
    void require(DatabaseSession session, Path file) throws SQLException {
        unused(session, file, known(session));
    }

    private static List<Known> known(DatabaseSession session) throws SQLException {
        return session.query(row -> new Known(row.getString(1), row.getBytes(2)), "SELECT id, proof FROM data_key");
    }

    /** The ids of keys that are not here, and have sealed nothing that is left. */
    private List<String> unused(DatabaseSession session, Path file, List<Known> known) throws SQLException {
        var unused = new ArrayList<String>();
        for (var key : known) {
            if (seal.has(key.id())) {
                requireSame(key, file);
            } else if (isUsed(session, key.id())) {
                throw new StoreException("task store " + file + ": it is sealed with the data key " + key.id()
                        + ", which is not among those given: add that key");
            } else {
                unused.add(key.id());
            }
        }
        return unused;
    }

    private void requireSame(Known key, Path file) {
        try {
            seal.open(key.proof(), place(key.id()));
        } catch (StoreException e) {
            throw new StoreException(
                    "task store " + file + ": the data key " + key.id()
                            + " is not the one that has sealed it: give that one, and new keys new ids",
                    e);
        }
    }

    private static boolean isUsed(DatabaseSession session, String id) throws SQLException {
        var start = RowSeal.start(id);
        return session.queryOne(row -> true, USED, start.length, start).isPresent();
    }

    private static String place(String id) {
        return "data_key " + id;
    }
}

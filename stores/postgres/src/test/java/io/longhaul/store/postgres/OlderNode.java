// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.TaskStore;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A node that does one step after the other: one that is here and is recorded, or one of the past that is played. */
interface OlderNode {

    /** @param how is what a node does that is here */
    void does(String step, Consumer<TaskStore> how) throws SQLException;

    /**
     * Sends what was recorded, and wants the same answers.
     *
     * @param steps the statements of each step, by its name
     */
    record Played(DataSource database, Map<String, List<Sent>> steps) implements OlderNode {

        @Override
        public void does(String step, Consumer<TaskStore> how) throws SQLException {
            assertThat(steps).containsKey(step);
            try (var connection = database.getConnection()) {
                connection.setAutoCommit(false);
                for (var one : steps.get(step)) {
                    var answer = one.send(connection);
                    if (!one.isAnswer(answer)) {
                        assertThat(answer)
                                .as("in the step '%s' the node sends %s", step, one.sql())
                                .isEqualTo(one.answer());
                    }
                }
            }
        }
    }

    /** Has a store of this version, and keeps what that sends. */
    record Recorded(TaskStore store, StatementRecorder recorder, Map<String, List<Sent>> steps) implements OlderNode {

        Recorded(TaskStore store, StatementRecorder recorder) {
            this(store, recorder, new LinkedHashMap<>());
        }

        @Override
        public void does(String step, Consumer<TaskStore> how) {
            recorder.take();
            how.accept(store);
            steps.put(step, recorder.take());
        }
    }
}

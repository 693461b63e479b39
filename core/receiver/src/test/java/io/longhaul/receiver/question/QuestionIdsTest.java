// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.protocol.rpc.RequestId;
import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QuestionIdsTest {

    private static final Instant NOW = Instant.EPOCH;
    private static final Instant DEADLINE = NOW.plusSeconds(60);
    private static final QuestionKey NAME = new QuestionKey(new TaskId("a".repeat(TaskId.LENGTH)), "a/name");

    private final QuestionIds ids = new QuestionIds(new MemoryTaskStore().rows());

    @Test
    void the_id_of_a_question_is_found_until_its_deadline() {
        ids.keep(NAME, DEADLINE);
        assertThat(ids.find(NAME.requestId(), NOW)).contains(NAME);
        assertThat(ids.find(NAME.requestId(), DEADLINE)).isEmpty();
    }

    @Test
    void an_id_that_was_never_given_stands_for_nothing() {
        ids.keep(NAME, DEADLINE);
        long given = NAME.requestId().value();
        assertThat(ids.find(new RequestId.Number(given + 1), NOW)).isEmpty();
        assertThat(ids.find(new RequestId.Number(-given), NOW)).isEmpty();
        assertThat(ids.find(new RequestId.Text(Long.toString(given)), NOW)).isEmpty();
        assertThat(ids.find(new RequestId.Text(NAME.text()), NOW)).isEmpty();
    }

    @Test
    void ids_have_53_bits_and_those_of_tasks_and_of_calls_never_meet() {
        var random = new Random(1);
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            long ofTask = new QuestionKey(NAME.task(), "q" + i).requestId().value();
            long ofCall = QuestionRanges.ofCall(random).value();
            assertThat(ofTask).isBetween(1L << 52, (1L << 53) - 1);
            assertThat(ofCall).isBetween(1L << 51, (1L << 52) - 1);
            assertThat(QuestionRanges.isOfCall(new RequestId.Number(ofCall))).isTrue();
            assertThat(QuestionRanges.isOfCall(new RequestId.Number(ofTask))).isFalse();
            seen.add(ofTask);
            seen.add(ofCall);
        }
        assertThat(seen).hasSize(20_000);
    }
}

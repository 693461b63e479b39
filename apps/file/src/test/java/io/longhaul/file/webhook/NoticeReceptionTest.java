// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What follows from an answer of a recipient. */
class NoticeReceptionTest {

    @ParameterizedTest
    @ValueSource(ints = {200, 202, 204, 299})
    void a_success_ends_it(int status) {
        assertThat(NoticeReception.of(status, Optional.empty())).isEqualTo(new NoticeReception.Taken());
    }

    @Test
    void what_is_gone_is_told_no_more() {
        assertThat(NoticeReception.of(410, Optional.empty())).isEqualTo(new NoticeReception.Gone());
    }

    @ParameterizedTest
    @ValueSource(ints = {199, 302, 307, 400, 401, 404, 429, 500, 503})
    void anything_else_is_told_again_after_the_pause_that_was_asked_for(int status) {
        var asked = Optional.of(Duration.ofMinutes(7));
        assertThat(NoticeReception.of(status, asked))
                .isEqualTo(new NoticeReception.Again("it answered with " + status, asked));
    }

    @Test
    void pauses_double_up_to_an_hour_and_differ_by_up_to_a_half() {
        var random = new Random(1);
        for (int tries = 1; tries <= 40; tries++) {
            var whole = tries <= 10 ? Duration.ofSeconds(5L << (tries - 1)) : Duration.ofHours(1);
            for (int draw = 0; draw < 20; draw++) {
                assertThat(NoticeReception.pause(tries, random)).isBetween(whole.dividedBy(2), whole);
            }
        }
        assertThat(NoticeReception.pause(3, new Random(1))).isNotEqualTo(NoticeReception.pause(3, new Random(2)));
    }
}

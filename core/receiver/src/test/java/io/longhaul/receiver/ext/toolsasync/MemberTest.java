// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.toolsasync;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A session that has joined a task. */
class MemberTest {

    @Test
    void a_session_that_joins_again_is_told_of_all_its_requests() {
        assertThat(member(1, null).again(member(3, null)).requests()).containsExactly(Json.raw("1"), Json.raw("3"));
    }

    @Test
    void a_later_request_without_a_progress_token_keeps_the_one_before() {
        var first = member(1, Json.raw("\"token\""));
        assertThat(first.again(member(2, null)).progressToken()).isEqualTo(Json.raw("\"token\""));
        assertThat(first.again(member(2, Json.raw("7"))).progressToken()).isEqualTo(Json.raw("7"));
    }

    @Test
    void a_later_request_says_in_which_words_the_session_is_told() {
        var later = new Member("other words", List.of(Json.raw("2")), null);
        assertThat(member(1, null).again(later).dialect()).isEqualTo("other words");
    }

    @Test
    void the_latest_eight_requests_of_a_session_are_remembered() {
        var member = member(1, null);
        for (int request = 2; request <= 10; request++) {
            member = member.again(member(request, null));
        }
        assertThat(member.requests())
                .containsExactlyElementsOf(IntStream.rangeClosed(3, 10)
                        .mapToObj(request -> Json.raw(Integer.toString(request)))
                        .toList());
    }

    @Test
    void a_member_is_stored_whole() {
        var member = member(1, Json.raw("\"token\"")).again(member(2, null));
        assertThat(Member.of(member.toPayload())).isEqualTo(member);
        assertThat(Member.of(member(1, null).toPayload())).isEqualTo(member(1, null));
    }

    private static Member member(int request, @Nullable Json token) {
        return new Member("words", List.of(Json.raw(Integer.toString(request))), token);
    }
}
